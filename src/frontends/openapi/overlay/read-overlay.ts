import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import {
  type Check,
  type Fault,
  type Path,
  describeFault,
  flag,
  makeListCheck,
  makeObjectCheck,
  makePredicateCheck,
  makeTextCheck,
  text,
} from '../../../config/options/shape.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import type { Rec } from '../document/record.ts';
import type { EntryText } from '../load/load-entry.ts';
import { isLoadFailure } from '../load/load-failure.ts';
import type { DocumentLimits } from '../load/loaded-document.ts';
import { parseText } from '../load/parse-text.ts';
import { escapePointerToken } from '../../../util/json-schema.ts';
import type { Report } from '../report.ts';

const query = makeTextCheck((value) =>
  value.startsWith('$') ? undefined : 'a JSONPath query begins with `$`',
);
const version = makePredicateCheck(
  (value) => typeof value === 'string' && /^1\.[01]\.\d+(?:-.+)?$/.test(value),
  'must be a version that is supported, 1.0.0 or 1.1.0, as text',
);
const info = requireMembers(
  makeObjectCheck({ title: text, version: text, description: text }, 'must be an object'),
  ['title', 'version'],
);
const action = requireMembers(
  makeObjectCheck(
    { target: query, description: text, update: () => [], copy: query, remove: flag },
    'must be an object',
  ),
  ['target'],
);
const root = requireMembers(
  makeObjectCheck({ overlay: version, info, extends: text, actions: checkActions }, 'must be an object'),
  ['overlay', 'info', 'actions'],
);

function requireMembers(check: Check, names: readonly string[]): Check {
  return (value, path) => [
    ...check(value, path),
    ...names
      .filter((name) => isRecord(value) && value[name] === undefined)
      .map((name) => ({ path, problem: `has no member "${name}"` })),
  ];
}

export function readOverlay(entry: EntryText, limits: DocumentLimits, report: Report): Overlay | undefined {
  const { file } = entry;
  const origin: DocumentOrigin = { kind: 'document', file, pointer: '' };
  const parsed = parseText(entry.text, file, limits);
  if (isLoadFailure(parsed)) {
    parsed.report(report, origin);
    return undefined;
  }
  const { value } = parsed;
  const faults = root(value, []).filter(({ key = '' }) => !key.startsWith('x-'));
  for (const fault of faults) {
    const place = [...fault.path, ...(fault.key === undefined ? [] : [fault.key])].reduce(
      memberOrigin,
      origin,
    );
    const at: DocumentOrigin = fault.key === undefined ? place : { ...place, on: 'key' };
    report('invalid-overlay', { overlay: file, problem: describeFault(fault) }, { at });
  }
  if (faults.length > 0 || !isRecord(value)) return undefined;
  const list = (value.actions as Rec[]).map((action, index): Action => {
    const at = memberOrigin(memberOrigin(origin, 'actions'), index);
    return { target: String(action.target), at, ...readChange(action) };
  });
  return { file, actions: list };
}

/** `remove` wins, and `update` over `copy`. */
function readChange({ update, copy, remove }: Rec): OverlayChange {
  if (remove === true) return { kind: 'remove' };
  if (update !== undefined) return { kind: 'update', value: update };
  return typeof copy === 'string' ? { kind: 'copy', from: copy } : { kind: 'none' };
}

/** OpenAPI Overlay 1.0 or 1.1: changes to a document, in order. */
export interface Overlay {
  file: string;
  actions: readonly Action[];
}

export type Action = {
  /** A JSONPath query (RFC 9535). */
  target: string;
  at: DocumentOrigin;
} & OverlayChange;

export type OverlayChange =
  | { kind: 'update'; value: unknown }
  /** `from` is a JSONPath query that selects one place of the document. */
  | { kind: 'copy'; from: string }
  | { kind: 'remove' }
  | { kind: 'none' };

/** The message is a clause without a full stop. */
export class OverlayMisfit extends Error {}

export function memberOrigin(origin: DocumentOrigin, token: string | number): DocumentOrigin {
  return { ...origin, pointer: `${origin.pointer}/${escapePointerToken(String(token))}` };
}

/** "The actions array MUST contain at least one value", and its schema wants them unique. */
function checkActions(value: unknown, path: Path): Fault[] {
  const faults = makeListCheck(action, 'must be a list')(value, path);
  if (faults.length > 0 || !Array.isArray(value)) return faults;
  if (value.length === 0) return [{ path, problem: 'must have an action' }];
  const texts = new Set(value.map((item) => JSON.stringify(item)));
  return texts.size < value.length ? [{ path, problem: 'has an action twice' }] : [];
}
