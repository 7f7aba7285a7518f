/** Whether names and schemas keep the rules of a client. */
import type { JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import { listSubschemas } from './schema-walk.ts';
import type { ClientProfile, SchemaRules } from './client-profiles.ts';

/** Characters that are left for the name of a tool. */
export function countCharactersForName(server: string, { names }: ClientProfile): number {
  if (names === undefined) return Infinity;
  return names.added === undefined ? names.longest : names.longest - names.added - server.length;
}

/** The rule that a name breaks, as a clause. */
export function findNameProblem(name: string, server: string, { names }: ClientProfile): string | undefined {
  if (names === undefined) return undefined;
  const { pattern, longest, added } = names;
  if (!pattern.test(name)) return `names must match ${String(pattern)}`;
  const length = added === undefined ? name.length : server.length + added + name.length;
  if (length <= longest) return undefined;
  const what = added === undefined ? 'the name has' : `with the server's name it has`;
  return `${what} ${String(length)} characters of at most ${String(longest)}`;
}

interface SchemaProblem {
  /** JSON Pointer in the input schema. */
  at: string;
  rule: string;
}

/** The first place that breaks a rule. */
export function findSchemaProblem(
  schema: JsonSchema,
  rules: SchemaRules,
  at: string,
): SchemaProblem | undefined {
  if (typeof schema === 'boolean') return undefined;
  const rule = findBrokenRule(schema, rules);
  if (rule !== undefined) return { at, rule };
  for (const { step, schema: inner } of listSubschemas(schema)) {
    const problem = findSchemaProblem(inner, rules, `${at}${step}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findBrokenRule(
  schema: JsonSchemaObject,
  { oneType, items, besideRef, noRef }: SchemaRules,
): string | undefined {
  const { type, $ref } = schema;
  if (oneType === true && Array.isArray(type)) return '`type` must be one type, not a list';
  const isArray = [type].flat().includes('array');
  if (items === true && isArray && schema.items === undefined && schema.prefixItems === undefined)
    return 'an array must have `items`';
  if ($ref === undefined) return undefined;
  if (noRef === true) return 'a `$ref` is read as an empty object';
  const otherKeywords = Object.keys(schema).filter(
    (keyword) => keyword !== '$ref' && besideRef?.includes(keyword) === false,
  );
  return otherKeywords.length === 0 ? undefined : `\`${otherKeywords[0] ?? ''}\` may not be beside \`$ref\``;
}
