/** What one schema asserts of a value itself, not of its parts, compared. */
import type { JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { ResolvedSchemas } from './resolved-schemas.ts';
import { compareLimits } from './schema-limits.ts';
import {
  compareTypes,
  compareValues,
  type Finding,
  haveNothingInCommon,
  type Types,
} from './schema-types.ts';

export interface Schemas {
  before: ResolvedSchemas;
  after: ResolvedSchemas;
}

/** Both with their `$ref`s followed. Where no value can be of both, the types say it all. */
export function compareAssertions(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  types: Types,
  schemas: Schemas,
): Finding[] {
  const found = compareTypes(types);
  if (haveNothingInCommon(types)) return found;
  const limits = compareLimits(before, after, {
    before: (value) => schemas.before.textOf(value),
    after: (value) => schemas.after.textOf(value),
  });
  return [...found, ...compareValues(before, after), ...limits];
}
