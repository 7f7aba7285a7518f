/** What types and values a schema takes, compared. */
import type { JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { ChangeKind } from './change-kinds.ts';
import { covers } from './resolved-schemas.ts';

export interface Finding {
  kind: ChangeKind;
  /** A clause without subject: `takes null too`. */
  text: string;
}

/** The types that each side takes; `undefined`: any. */
export interface Types {
  before: string[] | undefined;
  after: string[] | undefined;
}

export function compareTypes({ before, after }: Types): Finding[] {
  const lost = after !== undefined && (before === undefined || !before.every(among(after)));
  const gained = before !== undefined && (after === undefined || !after.every(among(before)));
  if (!lost && !gained) return [];
  const kind = lost && gained ? 'type-changed' : lost ? 'type-narrowed' : 'type-widened';
  return [{ kind, text: `type changed from ${inWords(before)} to ${inWords(after)}` }];
}

/** Nothing that was one can be the other. */
export function haveNothingInCommon({ before, after }: Types): boolean {
  if (before === undefined || after === undefined) return false;
  return !before.some(among(after)) && !after.some(among(before));
}

function among(types: string[]): (type: string) => boolean {
  return (type) => types.some(covers(type));
}

/** `null` counts as a type: it is not told twice. */
export function compareValues(before: JsonSchemaObject, after: JsonSchemaObject): Finding[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [{ kind: 'value-removed', text: `takes ${listed(now ?? [])} alone` }];
  if (now === undefined) return [{ kind: 'value-added', text: `takes more than ${listed(old)}` }];
  const removed = old.filter((value) => !now.includes(value));
  const added = now.filter((value) => !old.includes(value));
  return [
    ...(removed.length === 0
      ? []
      : [{ kind: 'value-removed', text: `value ${listed(removed)} removed` } as const]),
    ...(added.length === 0 ? [] : [{ kind: 'value-added', text: `value ${listed(added)} added` } as const]),
  ];
}

function inWords(types: string[] | undefined): string {
  if (types === undefined) return 'any';
  return types.length === 0 ? 'none' : types.join(' or ');
}

/** As JSON texts. */
function valuesOf({ enum: values, const: value }: JsonSchemaObject): string[] | undefined {
  const all = value === undefined ? values : [value];
  return all?.filter((each) => each !== null).map((each) => JSON.stringify(each));
}

function listed(values: string[]): string {
  const shown = values.slice(0, 5).join(', ');
  return values.length > 5 ? `${shown} and ${values.length - 5} more` : shown;
}
