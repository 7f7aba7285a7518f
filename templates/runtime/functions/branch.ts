import type { JsonType } from '../contract/json-schema.ts';
import { isRecord, typeOf } from '../contract/json-value.ts';
import type { CodecBranch } from '../contract/codec.ts';

/** Whether the JSON types, members and tag of a branch fit a value: JSON, or an object that is written as one. */
export function fitsBranch(value: unknown, { types, required = [], tag }: CodecBranch): boolean {
  const type = typeOf(value);
  if (types !== undefined && !(type !== undefined && isOneOf(type, types))) return false;
  if (!isRecord(value)) return true;
  if (tag !== undefined && !hasTag(value[tag.name], tag)) return false;
  return required.every((name) => value[name] !== undefined);
}

function hasTag(value: unknown, { values }: NonNullable<CodecBranch['tag']>): boolean {
  return value === undefined || values.includes(value as string);
}

/** Every integer is a number. */
function isOneOf(type: JsonType, types: readonly JsonType[]): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
