/** Compares the types, values and limits of two schemas. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { ChangeKind } from './change-kinds.ts';
import { listNames } from '../write/list-names.ts';
import { covers } from './resolved-schemas.ts';

/** Most values in one message. */
const MOST = 5;

export interface Finding {
  kind: ChangeKind;
  /** A clause without subject: `takes null too`. */
  text: string;
}

export interface SchemaChange extends Finding {
  /** `filter.tags[]`; `''` is the whole schema. */
  at: string;
}

/** Two schemas of the same place. */
export interface Pair {
  before: JsonSchema;
  after: JsonSchema;
  at: string;
}

/** The types that each side accepts; `undefined`: any. */
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

/** No value is accepted by both. */
export function haveNothingInCommon({ before, after }: Types): boolean {
  if (before === undefined || after === undefined) return false;
  return !before.some(among(after)) && !after.some(among(before));
}

function among(types: string[]): (type: string) => boolean {
  return (type) => types.some(covers(type));
}

/** Ignores `null`, which is compared as a type. */
export function compareValues(before: JsonSchemaObject, after: JsonSchemaObject): Finding[] {
  const [old, now] = [listValues(before), listValues(after)];
  if (old === undefined && now === undefined) return [];
  if (old === undefined)
    return [{ kind: 'value-removed', text: `takes ${listNames(now ?? [], MOST)} alone` }];
  if (now === undefined) return [{ kind: 'value-added', text: `takes more than ${listNames(old, MOST)}` }];
  const removed = old.filter((value) => !now.includes(value));
  const added = now.filter((value) => !old.includes(value));
  const found: Finding[] = [];
  if (removed.length > 0)
    found.push({ kind: 'value-removed', text: `value ${listNames(removed, MOST)} removed` });
  if (added.length > 0) found.push({ kind: 'value-added', text: `value ${listNames(added, MOST)} added` });
  return found;
}

function inWords(types: string[] | undefined): string {
  if (types === undefined) return 'any';
  return types.length === 0 ? 'none' : types.join(' or ');
}

/** The values as JSON texts. */
function listValues({ enum: values, const: value }: JsonSchemaObject): string[] | undefined {
  const all = value === undefined ? values : [value];
  return all?.filter((each) => each !== null).map((each) => JSON.stringify(each));
}
