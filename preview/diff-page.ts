import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { Change } from '../src/diff/surface-diff.ts';
import type { DiffView } from '../src/preview/protocol.ts';
import { htm } from './htm.ts';
import { Empty, FailureNote, Prose, Segmented, count, plural } from './parts/basics.ts';
import { ChangeItem } from './parts/change-list.ts';
import { createLoader, generation, ofServer, server } from './state.ts';

type Kind = 'lock' | 'document';

const { data, problem, isLoading, load } = createLoader('GET /api/diff');

const kind = signal<Kind>('lock');
const path = signal('');
const effects = signal<'all' | Change['effect']>('all');
/** What was compared last; it is compared again when the source changes. */
const against = signal('lock');

const KINDS = [
  { value: 'lock', label: 'Lock' },
  { value: 'document', label: 'Document' },
] as const;

export function DiffPage() {
  useEffect(() => {
    if (against.value !== '') void load({ ...ofServer(), against: against.value });
  }, [against.value, generation.value, server.value]);
  const compare = (event: Event): void => {
    event.preventDefault();
    against.value = kind.value === 'lock' ? 'lock' : `document:${path.value.trim()}`;
  };
  const view = data.value;
  return htm`<div class="page-scroll diff-page" tabindex="-1">
    <form class="page-head" onSubmit=${compare}>
      <h1>Compare with</h1>
      <${Segmented} label="Compare with" value=${kind.value} choices=${KINDS} onChange=${(to: Kind) => (kind.value = to)} />
      ${kind.value === 'document' && htm`<${Field} label="Path of the document" value=${path} />`}
      <button class="primary" type="submit">Compare</button>
    </form>
    ${isLoading.value && htm`<p class="muted" role="status">Comparing …</p>`}
    ${problem.value !== undefined && (problem.value.isAbsent ? htm`<${Empty}><p>${problem.value.message}</p><p><${Prose} text=${problem.value.hint ?? ''} /></p><//>` : htm`<${FailureNote} failure=${problem.value} />`)}
    ${view !== undefined && htm`<${Result} view=${view} />`}
  </div>`;
}

function Field({ label, value }: { label: string; value: typeof path }) {
  return htm`<label class="inline-field"><span class="hidden">${label}</span><input placeholder=${label} required value=${value.value} spellcheck=${false} onInput=${(event: Event) => (value.value = (event.currentTarget as HTMLInputElement).value)} /></label>`;
}

function Result({ view }: { view: DiffView }) {
  const { changes, breaking, compatible, tokens } = view;
  const shown = changes.filter(({ effect }) => effects.value === 'all' || effect === effects.value);
  const byItem = [...Map.groupBy(shown, ({ item, name }) => `${item} ${name}`).values()].toSorted(
    (a, b) => rank(a) - rank(b),
  );
  const by = tokens.after - tokens.before;
  return htm`<div class="diff-figures">
      <${Segmented} label="Effect" value=${effects.value} choices=${[
        { value: 'all', label: `All ${count(changes.length)}` },
        { value: 'breaking', label: `Breaking ${count(breaking)}` },
        { value: 'compatible', label: `Compatible ${count(compatible)}` },
      ]} onChange=${(to: typeof effects.value) => (effects.value = to)} />
      <p class="totals">${count(tokens.before)} → <strong>${count(tokens.after)} tokens</strong> ${by !== 0 && htm`<span class="muted">(${by > 0 ? '+' : '−'}${count(Math.abs(by))})</span>`}</p>
    </div>
    ${changes.length === 0 && htm`<${Empty}>Clients see no difference from ${view.against === 'lock' ? 'the lock' : view.against.replace('document:', '')}.<//>`}
    <ul class="changes">${byItem.slice(0, MOST).flatMap((group) => group.map((change) => htm`<${ChangeItem} change=${change} />`))}</ul>
    ${byItem.length > MOST && htm`<p class="note">${plural(byItem.length - MOST, 'further item')} not shown.</p>`}`;
}

const MOST = 300;

/** Items with a breaking change come first. */
function rank(group: readonly Change[]): number {
  return group.some(({ effect }) => effect === 'breaking') ? 0 : 1;
}
