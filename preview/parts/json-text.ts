import { useMemo } from 'preact/hooks';

import { classes, htm } from '../htm.ts';
import { entriesOf, escapeToken, kindOf, printJson } from '../json.ts';
import { plural } from './basics.ts';

interface Properties {
  value: unknown;
  label: string;
  /** JSON Pointer of the value to mark. */
  marked?: string | undefined;
  onPoint?: ((pointer: string) => void) | undefined;
}

/** Beyond so many characters the text is shown without colours. */
const MOST = 150_000;

export function JsonText({ label, ...tree }: Properties) {
  return htm`<div class="code" tabindex="0" role="region" aria-label=${label}><${JsonTree} ...${tree} /></div>`;
}

/** Pretty-printed JSON, whose objects and lists fold. */
export function JsonTree({ value, ...rest }: Omit<Properties, 'label'>) {
  const text = useMemo(() => printJson(value, 2), [value]);
  return htm`<div class="json">${text.length > MOST ? text : htm`<${Value} value=${value} depth=${0} pointer="" end="" ...${rest} />`}</div>`;
}

interface ValueProperties extends Pick<Properties, 'value' | 'marked' | 'onPoint'> {
  /** The member's name. */
  name?: string | undefined;
  depth: number;
  pointer: string;
  /** What follows: a comma, or nothing. */
  end: string;
}

function Value({ value, name, depth, pointer, end, marked, onPoint }: ValueProperties) {
  const place = {
    class: classes('line', pointer !== '' && pointer === marked && 'is-marked'),
    'data-pointer': pointer,
    onMouseEnter: onPoint && (() => onPoint(pointer)),
  };
  const indent = '  '.repeat(depth);
  const start = htm`${indent}${name !== undefined && htm`<span class="j-key">${JSON.stringify(name)}</span>: `}`;
  const entries = entriesOf(value);
  if (entries === undefined || entries.length === 0)
    return htm`<span ...${place}>${start}<span class=${`j-${kindOf(value)}`}>${printJson(value)}</span>${end}${'\n'}</span>`;
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const folded = `${plural(entries.length, isList ? 'item' : 'member')} ${close}${end}`;
  return htm`<details open><summary ...${place} data-folded=${folded}>${start}${open}${'\n'}</summary>${entries.map(
    ([key, each], index) =>
      htm`<${Value} key=${key} value=${each} name=${isList ? undefined : key} depth=${depth + 1} pointer=${`${pointer}/${escapeToken(key)}`} end=${index < entries.length - 1 ? ',' : ''} marked=${marked} onPoint=${onPoint} />`,
  )}<span class="line">${indent}${close}${end}${'\n'}</span></details>`;
}
