/** Takes out of a value what does not conform to its schema. */
import { isRecord } from '../../contract/json-value.ts';
import type { JsonObject } from '../../contract/json-schema.ts';
import type { SchemaError, Validator } from '../../schema/index.ts';

/**
 * A copy of `value` that `validate` accepts: each fault costs the nearest property around it. Where that does not
 * come to an end in `rounds`, the result is `{}`, or undefined when that is refused too. Conforming siblings keep their
 * values.
 */
export function prune(value: JsonObject, validate: Validator, rounds: number): JsonObject | undefined {
  const copy = structuredClone(value);
  for (let round = 0; round < rounds; round++) {
    const errors = validate(copy);
    if (errors.length === 0) return copy;
    // All at once: several faults are the rule where one is found, and validation is the dear part.
    if (!errors.map((error) => removeFault(copy, error)).includes(true)) break;
  }
  return validate({}).length === 0 ? {} : undefined;
}

/** Whether anything could be removed. */
function removeFault(root: JsonObject, { instancePath, params }: SchemaError): boolean {
  const path = instancePath.split('/').slice(1).map(unescape);
  const extra = params?.['additionalProperty'] ?? params?.['unevaluatedProperty'] ?? params?.['propertyName'];
  if (typeof extra === 'string' && removeProperty(root, [...path, extra])) return true;
  for (let depth = path.length; depth > 0; depth--) {
    if (removeProperty(root, path.slice(0, depth))) return true;
  }
  return false;
}

/** False when the place is none, or an array's: an array less one item would be another answer. */
function removeProperty(root: JsonObject, path: readonly string[]): boolean {
  let parent: unknown = root;
  for (const token of path.slice(0, -1)) parent = memberOf(parent, token);
  const name = path.at(-1);
  if (name === undefined || !isRecord(parent) || !Object.hasOwn(parent, name)) return false;
  return Reflect.deleteProperty(parent, name);
}

function memberOf(parent: unknown, token: string): unknown {
  if (Array.isArray(parent)) return parent[Number(token)];
  return isRecord(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

/** RFC 6901, section 4. */
function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
