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

/** Compares resolved schemas without their parts. Schemas without a common type differ only in their types. */
export function compareAssertions(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  types: Types,
  schemas: Schemas,
): Finding[] {
  const found = compareTypes(types);
  if (haveNothingInCommon(types)) return found;
  const limits = compareLimits(before, after, {
    before: (value) => schemas.before.toText(value),
    after: (value) => schemas.after.toText(value),
  });
  return [...found, ...compareValues(before, after), ...limits];
}
