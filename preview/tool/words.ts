import { useEffect, useRef } from 'preact/hooks';

import type { ToolHints } from '../../src/config/options/tool-rules.ts';
import type { EditableWords, ToolEdit, ToolView, WordOrigin } from '../../src/preview/protocol.ts';
import { keepWords, keptWords } from '../changes.ts';
import { classes, htm } from '../htm.ts';
import { escapeToken } from '../json.ts';
import { OriginChip, Switch, plural } from '../parts/basics.ts';
import { route } from '../state.ts';

interface Properties {
  view: ToolView;
  onPoint: (origin: WordOrigin | undefined) => void;
}

/** The words as a person left them, and how to change them. */
export function draftOf(editable: EditableWords) {
  const draft = applyEdit(editable, keptWords(editable.name) ?? {});
  const set = (part: Partial<EditableWords>): void => {
    const changes = listChanges(editable, { ...draft, ...part });
    keepWords(editable.name, Object.keys(changes).length === 0 ? undefined : changes);
  };
  return { draft, set };
}

/** The texts of a tool, each with its origin, edited where they are. */
export function Words({ view, onPoint }: Properties) {
  const { editable, origins } = view;
  const { draft, set } = draftOf(editable);
  const places = (pointer: string) => ({
    pointer,
    origin: origins.find((each) => each.pointer === pointer),
    onPoint,
  });
  const field = (label: string, key: 'name' | 'title' | 'description') =>
    htm`<${TextField} ...${places(`/${key}`)} label=${label} value=${draft[key]} isChanged=${draft[key] !== editable[key]} onInput=${(text: string) => set({ [key]: text })} />`;
  return htm`<div class="words-scroll" tabindex="0" role="region" aria-label="Editable words">
      ${field('Name', 'name')}
      ${field('Title', 'title')}
      ${field('Description', 'description')}
      <${Hints} draft=${draft} onChange=${(hints: ToolHints) => set({ hints })} />
      <fieldset class="word-switches"><legend>Listing</legend>
        <${Switch} label="Pinned" title="Listed beside the search tools" isOn=${draft.pin} onChange=${(pin: boolean) => set({ pin })} />
        <${Switch} label="Excluded" title="Not served" isOn=${draft.exclude} onChange=${(exclude: boolean) => set({ exclude })} />
      </fieldset>
      ${draft.arguments.length > 0 && htm`<h3>Arguments</h3>`}
      ${draft.arguments.map((argument, index) => {
        const pointer = `/inputSchema/properties/${escapeToken(argument.name)}/description`;
        const change = (part: Partial<typeof argument>): void =>
          set({ arguments: draft.arguments.with(index, { ...argument, ...part }) });
        return htm`<div class="argument" key=${argument.name}>
          <${TextField} ...${places(pointer)} label=${argument.name} isCode isRequired=${argument.required} value=${argument.description} isChanged=${argument.description !== editable.arguments[index]?.description} onInput=${(description: string) => change({ description })} />
          <${Switch} label="Hidden" title="The model does not see it" isOn=${argument.hidden} isDisabled=${argument.required && !argument.hidden} onChange=${(hidden: boolean) => change({ hidden })} />
        </div>`;
      })}
      <${OtherWords} view=${view} onPoint=${onPoint} />
    </div>`;
}

/** The source may have changed since the edit, which names only what differs. */
function applyEdit(words: EditableWords, { arguments: edits = {}, ...edit }: ToolEdit): EditableWords {
  return {
    ...withoutNulls({ ...words, ...edit }),
    hints: { ...words.hints, ...edit.hints },
    arguments: words.arguments.map((each) => withoutNulls({ ...each, ...edits[each.name] })),
  } as EditableWords;
}

/** A text that is taken back shows empty. */
function withoutNulls(words: object): object {
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, value ?? '']));
}

/** Members that differ. An emptied text takes the earlier edit back. */
function listChanges(before: EditableWords, after: EditableWords): ToolEdit {
  const edit: ToolEdit = {};
  for (const key of ['name', 'title', 'description'] as const)
    if (before[key] !== after[key]) edit[key] = after[key].trim() === '' ? null : after[key];
  const hints = HINTS.flatMap(([name]) =>
    before.hints[name] === after.hints[name] ? [] : [[name, after.hints[name]]],
  );
  if (hints.length > 0) edit.hints = Object.fromEntries(hints) as ToolHints;
  for (const key of ['pin', 'exclude'] as const) if (before[key] !== after[key]) edit[key] = after[key];
  const changed = after.arguments.flatMap((argument, index) => {
    const old = before.arguments[index];
    const set: NonNullable<ToolEdit['arguments']>[string] = {};
    if (argument.description !== old?.description)
      set.description = argument.description.trim() === '' ? null : argument.description;
    if (argument.hidden !== old?.hidden) set.hidden = argument.hidden;
    return Object.keys(set).length === 0 ? [] : [[argument.name, set] as const];
  });
  if (changed.length > 0) edit.arguments = Object.fromEntries(changed);
  return edit;
}

interface TextFieldProperties {
  label: string;
  value: string;
  isChanged: boolean;
  onInput: (text: string) => void;
  /** Its place in the listed tool; an address may ask for it. */
  pointer?: string;
  origin?: WordOrigin | undefined;
  onPoint?: Properties['onPoint'];
  isCode?: boolean;
  isRequired?: boolean;
}

export function TextField(properties: TextFieldProperties) {
  const { label, value, isChanged, onInput, pointer, origin, onPoint, isCode, isRequired } = properties;
  const box = useRef<HTMLTextAreaElement>(null);
  const isWanted = pointer !== undefined && pointer === route.value.field;
  useEffect(() => {
    if (isWanted) box.current?.focus();
  }, [isWanted]);
  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [value]);
  const go = origin === undefined ? undefined : () => onPoint?.(origin);
  return htm`<div class=${classes('word', isChanged && 'is-changed')}>
    <label><span class="word-label">${isCode ? htm`<code>${label}</code>` : label}${isRequired && htm`<span class="tag">required</span>`}</span>
      <textarea ref=${box} rows="1" spellcheck=${!isCode} value=${value} placeholder="empty" onFocus=${go} onInput=${(event: Event) => onInput((event.currentTarget as HTMLTextAreaElement).value)}></textarea>
    </label>
    ${origin !== undefined && htm`<${OriginChip} origin=${origin} onGo=${go} />`}
  </div>`;
}

const HINTS = [
  ['readOnly', 'Only reads'],
  ['destructive', 'Destructive'],
  ['idempotent', 'Idempotent'],
  ['openWorld', 'Open world'],
] as const;

function Hints({ draft, onChange }: { draft: EditableWords; onChange: (hints: ToolHints) => void }) {
  return htm`<fieldset class="word-switches"><legend>Hints</legend>${HINTS.map(
    ([name, label]) =>
      htm`<${Switch} label=${label} title=${name} isOn=${draft.hints[name]} onChange=${(isOn: boolean) => onChange({ ...draft.hints, [name]: isOn })} />`,
  )}</fieldset>`;
}

/** Words that no field above shows, such as those of nested properties. */
function OtherWords({ view: { origins, editable }, onPoint }: Properties) {
  const shown = new Set([
    '/name',
    '/title',
    '/description',
    ...editable.arguments.map(({ name }) => `/inputSchema/properties/${escapeToken(name)}/description`),
  ]);
  const others = origins.filter(({ pointer }) => !shown.has(pointer));
  if (others.length === 0) return null;
  return htm`<details><summary>${plural(others.length, 'other text')}</summary>${others.map(
    (origin) =>
      htm`<div class="other-word" key=${origin.pointer}><code>${origin.pointer}</code><p>${origin.text}</p><${OriginChip} origin=${origin} onGo=${() => onPoint(origin)} /></div>`,
  )}</details>`;
}
