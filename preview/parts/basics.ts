/** Small parts that all views are made of. */
import type { ComponentChildren } from 'preact';

import type { ToolRow, WordOrigin } from '../../src/preview/protocol.ts';
import { classes, htm } from '../htm.ts';
import type { Failure } from '../state.ts';
import { notify, notifyError } from '../state.ts';

const whole = new Intl.NumberFormat('en');

export function count(number: number): string {
  return whole.format(number);
}

/** `1 tool`, `2 tools`. */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `12.3k` for sums, so that columns stay narrow. */
export function short(number: number): string {
  if (number < 10_000) return count(number);
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(2)}M`;
}

/** Text with code between backticks. */
export function Prose({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? htm`<code>${part}</code>` : part));
}

/** The style of what shows a colour of page.css. */
export function coloured(name: string) {
  return { '--colour': `var(--${name})` };
}

/** Functions have no method and are coloured by access. */
export function methodColour({ method, access }: Pick<ToolRow, 'method' | 'access'>) {
  if (method === undefined) return coloured({ read: 'get', write: 'post', destructive: 'delete' }[access]);
  const name = method.toLowerCase();
  return coloured(['get', 'post', 'put', 'patch', 'delete'].includes(name) ? name : 'other');
}

/** Five steps from bad to good. */
export function scoreColour(score: number) {
  return coloured(`score-${Math.min(4, Math.max(0, Math.floor((score - 50) / 10)))}`);
}

export function MethodBadge({ row }: { row: Pick<ToolRow, 'method' | 'access'> }) {
  const label = row.method?.toUpperCase() ?? row.access;
  return htm`<span class="method" style=${methodColour(row)}>${label === 'destructive' ? 'destr.' : label}</span>`;
}

export function AccessBadge({ access }: { access: ToolRow['access'] }) {
  return htm`<span class=${`access a-${access}`}>${access}</span>`;
}

export function Score({ score }: { score: number }) {
  return htm`<span class="score" style=${scoreColour(score)} title=${`Lint score ${Math.round(score)} of 100`}>${Math.round(score)}</span>`;
}

export function OriginChip({ origin, onGo }: { origin: WordOrigin; onGo?: (() => void) | undefined }) {
  const from = origin.from === 'generated' ? 'mcpgen' : origin.from;
  const place = `${from}${origin.line === undefined ? '' : `, line ${origin.line}`}${origin.isExtended ? ', and mcpgen' : ''}`;
  const name = `origin o-${origin.from}`;
  if (onGo === undefined) return htm`<span class=${name} title=${origin.file ?? ''}>${place}</span>`;
  return htm`<button type="button" class=${name} title=${origin.file ?? ''} onClick=${onGo}>${place}</button>`;
}

export function Empty({ children }: { children?: ComponentChildren }) {
  return htm`<div class="empty">${children}</div>`;
}

export function FailureNote({ failure }: { failure: Failure }) {
  return htm`<div class="failure" role="alert"><strong><${Prose} text=${failure.message} /></strong>${failure.hint && htm`<p><${Prose} text=${failure.hint} /></p>`}</div>`;
}

interface Choice<T extends string> {
  value: T;
  label: string;
}

interface SegmentedProperties<T extends string> {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  onChange: (value: T) => void;
  isDisabled?: boolean;
}

/** One of few; a group of radio buttons for the keyboard. */
export function Segmented<T extends string>(properties: SegmentedProperties<T>) {
  const { label, choices, value, onChange, isDisabled = false } = properties;
  return htm`<div class="segmented" role="radiogroup" aria-label=${label}>
    ${choices.map(
      (choice) =>
        htm`<label class=${classes(choice.value === value && 'is-on')}><input type="radio" class="hidden" name=${label} value=${choice.value} checked=${choice.value === value} disabled=${isDisabled} onChange=${() => onChange(choice.value)} />${choice.label}</label>`,
    )}
  </div>`;
}

interface SwitchProperties {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
  title?: string;
}

export function Switch({ label, isOn, onChange, isDisabled, title }: SwitchProperties) {
  return htm`<label class="switch" title=${title}>
    <input type="checkbox" role="switch" checked=${isOn} disabled=${isDisabled} onChange=${(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)} />
    <span>${label}</span>
  </label>`;
}

interface PickProperties<T extends string> {
  label: string;
  options: readonly (Choice<T> | T)[];
  value: T;
  onChange: (value: T) => void;
  isLabelHidden?: boolean;
}

export function Pick<T extends string>(properties: PickProperties<T>) {
  const { label, options, value, onChange, isLabelHidden } = properties;
  const change = (event: Event): void => onChange((event.currentTarget as HTMLSelectElement).value as T);
  return htm`<label class="pick"><span class=${classes(isLabelHidden && 'hidden')}>${label}</span><select value=${value} onChange=${change}>
    ${options.map((option) => {
      const choice = typeof option === 'string' ? { value: option, label: option } : option;
      return htm`<option value=${choice.value} selected=${choice.value === value}>${choice.label}</option>`;
    })}
  </select></label>`;
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied.`);
  } catch (error) {
    notifyError(error);
  }
}
