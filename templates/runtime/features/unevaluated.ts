// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `unevaluatedProperties` and `unevaluatedItems`: what no other keyword of the schema, or of what it refers to, has looked at (JSON Schema 2020-12, Core, section 11). */
import type { Feature } from '../feature.ts';
import { isRecord, ownMember } from '../json-rpc.ts';
import type { SchemaObject } from '../types.ts';
import type { Compiler, Keyword, Run, Test } from '../validate.ts';

export function unevaluated(): Feature {
  const keywords: Record<string, Keyword> = {
    unevaluatedProperties: (rest, compiler, schema) =>
      compileRest(rest, compiler, { ...schema, unevaluatedProperties: undefined }),
    unevaluatedItems: (rest, compiler, schema) =>
      compileRest(rest, compiler, { ...schema, unevaluatedItems: undefined }),
  };
  return { name: 'unevaluated', parts: { keywords } };
}

type Container = Record<string, unknown> | unknown[];

function compileRest(rest: unknown, compiler: Compiler, schema: SchemaObject): Test<Container> {
  const check = compiler.compile(rest);
  return (value, run) => {
    const seen = findEvaluated(schema, value, compiler, run);
    for (const [key, member] of Object.entries(value))
      if (member !== undefined && !seen.has(key))
        run.checkMember(check, member, Array.isArray(value) ? Number(key) : key);
  };
}

/** The names of members, or the indexes of items, that the schema looks at. It accepts the value. */
function findEvaluated(schema: unknown, value: Container, compiler: Compiler, run: Run): Set<string> {
  const seen = new Set<string>();
  const keys = Object.keys(value);
  const open: unknown[] = [schema];
  // Schemas that refer to one another in a circle are looked at once.
  const visited = new Set<unknown>();
  for (const next of open) {
    if (!isRecord(next) || visited.has(next)) continue;
    visited.add(next);
    run.spend(keys.length);
    for (const key of Array.isArray(value)
      ? listItems(next, value, compiler, run)
      : listMembers(next, keys, compiler, run))
      seen.add(key);
    open.push(...listInPlace(next, value, compiler, run));
  }
  return seen;
}

function listMembers(schema: SchemaObject, keys: string[], compiler: Compiler, run: Run): string[] {
  const { properties = {}, patternProperties = {} } = schema;
  if ((schema['additionalProperties'] ?? schema['unevaluatedProperties']) !== undefined) return keys;
  const patterns = Object.keys(patternProperties as object).map((source) => compiler.makeTest(source));
  return keys.filter(
    (key) => Object.hasOwn(properties, key) || patterns.some((matches) => matches(key, run)),
  );
}

function listItems(schema: SchemaObject, value: unknown[], compiler: Compiler, run: Run): string[] {
  const { prefixItems = [], contains } = schema;
  const isRest = (schema.items ?? schema['unevaluatedItems']) !== undefined;
  const isContained = contains === undefined ? undefined : compiler.compile(contains);
  return Object.keys(value).filter((index) => {
    const at = Number(index);
    return (
      isRest || at < (prefixItems as unknown[]).length || (isContained && run.passes(isContained, value[at]))
    );
  });
}

/** The schemas that look at the same value: of alternatives those that accept it. */
function listInPlace(schema: SchemaObject, value: Container, compiler: Compiler, run: Run): unknown[] {
  const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, if: condition } = schema;
  const accepts = (one: unknown): boolean => run.passes(compiler.compile(one), value);
  const isMet = condition !== undefined && accepts(condition);
  return [
    ...(typeof schema.$ref === 'string' ? [compiler.resolve(schema.$ref)] : []),
    ...(allOf as unknown[]),
    ...[anyOf, oneOf].flatMap((branches) => (branches as unknown[]).filter(accepts)),
    ...Object.entries(dependentSchemas as object).flatMap(([name, one]): unknown[] =>
      ownMember(value as Record<string, unknown>, name) === undefined ? [] : [one],
    ),
    ...(condition === undefined ? [] : isMet ? [condition, schema['then']] : [schema['else']]),
  ];
}
