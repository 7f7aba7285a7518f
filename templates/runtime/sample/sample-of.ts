/**
 * From a JSON Schema 2020-12 to a value that is valid against it. For trying things out: mock answers, tests. Not on the
 * way of a real call.
 */
import type { Json, JsonObject, JsonSchema } from '../contract/json-schema.ts';
import { Sampler } from './sampler.ts';

export interface SampleOptions {
  /** Also the members that are not required, as many as are valid together. Default false: only what is required. */
  full?: boolean;
  /** Values to try first for members of the outermost object, by name, best first; what is not valid is passed over. */
  examples?: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * A valid value: from `examples`, `const`, `enum` or `default` where they are valid, else made up. The same schema gives
 * the same value. `format` is obeyed where it is well known. Undefined when no valid value was found: there may be none,
 * or finding it takes more than a try at each branch (`not`, a pattern with assertions).
 *
 * @throws SchemaDefect as `compileSchema` does, when the schema cannot be read.
 */
export function sampleOf(
  schema: JsonSchema,
  { full = false, examples = {} }: SampleOptions = {},
): Json | undefined {
  const first = new Sampler(schema, { full, examples }).sample();
  // With less in it, what could not be made valid may not be in it either.
  return first === undefined && full ? new Sampler(schema, { full: false, examples }).sample() : first;
}

/** A sample for a place that wants an object: `{}` when none was found. */
export function sampleObject(schema: JsonSchema, options: SampleOptions = {}): JsonObject {
  const value = sampleOf(schema, options);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
