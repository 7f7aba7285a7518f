import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';

/** Finds a number that JSON cannot express: `.inf`, `.nan`, or `1e999`. */
export function oddNumberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const odd = oddNumberIn(member);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

export function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Converts a value of another type if it was only written differently: `1` under `type: string`. */
export function convertedTo(value: Json, type: string): Json | undefined {
  if (isOfType(value, type)) return undefined;
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return undefined;
  const number = Number(value);
  return isOfType(number, type) ? number : undefined;
}
