import { isObject, typeOf } from '../schema/json-value.ts';
import type { CodecBranch } from './codec.ts';

/** Whether the JSON types, members and tag of a branch fit a value: JSON, or an object that is written as one. */
export function fitsBranch(value: unknown, { types, required = [], tag }: CodecBranch): boolean {
  const type = typeOf(value);
  if (types !== undefined && !(type !== undefined && (types.includes(type) || isNumber(type, types))))
    return false;
  if (!isObject(value)) return true;
  if (tag !== undefined && !tag.values.includes(value[tag.name] as string)) return false;
  return required.every((name) => value[name] !== undefined);
}

function isNumber(type: string, types: readonly string[]): boolean {
  return (type === 'integer' && types.includes('number')) || (type === 'number' && types.includes('integer'));
}
