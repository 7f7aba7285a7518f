import { isDeepStrictEqual } from 'node:util';

import type {
  Codec,
  Json,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import {
  UndecodableArguments,
  decodeArgument,
} from '../../../../templates/runtime/functions/decode-arguments.ts';
import { SchemaDefect, compileSchema } from '../../../../templates/runtime/schema/compile-schema.ts';
import '../../../../templates/runtime/schema/alternatives.ts';
import { reachedDefinitions, definitionNameOf, collectRefs } from '../../../model/schema-walk.ts';
import {
  type Form,
  type NotedAlternative,
  type NotedDefault,
  type NotedExample,
  type NotedSchema,
  type NotedUnion,
  type ReportAt,
  formatSubject,
} from './form.ts';
import { type Pruning, pruneCodec } from './prune-codec.ts';

interface NamedTypes {
  schemas: Record<string, JsonSchema>;
  codecs: Record<string, Codec>;
}

export function checkDefaults(noted: readonly NotedDefault[], named: NamedTypes, tell: ReportAt): void {
  // Later steps may have removed the default.
  for (const { form, at } of noted.filter((each) => each.form.schema.default !== undefined)) {
    const value = form.schema.default;
    const problem = findExampleProblem(value, form, named);
    if (problem !== undefined) tell('default-does-not-fit', { value: JSON.stringify(value), problem }, at);
  }
}

export function checkExamples(noted: readonly NotedExample[], named: NamedTypes, tell: ReportAt): void {
  for (const { schema, value, tag } of noted) {
    const problem = findExampleProblem(value, { schema }, named);
    if (problem === undefined) continue;
    tell('example-does-not-fit', { value: JSON.stringify(value), problem }, tag);
    const left = schema.examples?.filter((each) => each !== value) ?? [];
    if (left.length === 0) delete schema.examples;
    else schema.examples = left;
  }
}

function findExampleProblem(
  value: unknown,
  { schema, codec }: Form,
  { schemas, codecs }: NamedTypes,
): string | undefined {
  try {
    // Only the named types in use are compiled.
    const reached = reachedDefinitions(schema, schemas);
    const [error] = compileSchema({ ...schema, $defs: { ...reached, ...schema.$defs } })(value);
    if (error !== undefined) return error.message;
    decodeArgument(value, codec, codecs);
    return undefined;
  } catch (error) {
    if (error instanceof UndecodableArguments) return error.message;
    // A recursive default.
    if (error instanceof RangeError) return 'It contains itself without end';
    // `@schema` is checked elsewhere.
    if (error instanceof SchemaDefect) return undefined;
    throw error;
  }
}

/** `@schema` may name any type of the program. `tops` are the schemas of whole tools. */
export function checkSchemaTags(
  noted: readonly NotedSchema[],
  tops: ReadonlySet<JsonSchemaObject>,
  schemas: Record<string, JsonSchema>,
  tell: ReportAt,
): void {
  for (const { schema, given, tag } of noted) {
    const isTop = tops.has(schema);
    const problem = (isTop ? undefined : findMisplacedReference(given)) ?? findDefect(given, isTop, schemas);
    if (problem !== undefined) tell('bad-schema', { problem }, tag);
  }
}

/** In a tool's schema `#` is the whole, and `#/$defs` are the named types. A schema with `$id` has its own. */
function findMisplacedReference(given: JsonSchemaObject): string | undefined {
  if (given.$id !== undefined) return undefined;
  const isMisplacedReference = (ref: string): boolean => {
    const name = definitionNameOf(ref);
    return ref.startsWith('#') && (name === undefined || Object.hasOwn(given.$defs ?? {}, name));
  };
  const odd = [...collectRefs(given)].find(isMisplacedReference);
  return odd === undefined
    ? undefined
    : `its \`$ref\` ${JSON.stringify(odd)} starts at the top of the tool's schema, and this one is within it`;
}

function findDefect(
  given: JsonSchemaObject,
  isTop: boolean,
  schemas: Record<string, JsonSchema>,
): string | undefined {
  try {
    if (isTop) compileSchema({ ...given, $defs: { ...schemas, ...given.$defs } });
    else compileSchema({ $defs: reachedDefinitions(given, schemas), items: given });
    return undefined;
  } catch (error) {
    if (error instanceof SchemaDefect) return error.message.replace('#/items', '#');
    throw error;
  }
}

/**
 * Reports alternatives that no call can choose, since an earlier one accepts all of their JSON. Call it after the
 * schemas are copied.
 */
export function reportUnreachableAlternatives(
  noted: readonly NotedUnion[],
  pruning: Pruning,
  tell: ReportAt,
): void {
  for (const { place, alternatives, definitions } of noted) {
    if (place.isLibrary) continue;
    const isKeptAlternative = ({ codec }: NotedAlternative): boolean =>
      pruneCodec(codec, pruning) === undefined;
    const kept = alternatives.filter(isKeptAlternative);
    for (const lost of alternatives.filter((each) => !kept.includes(each))) {
      const taken = kept.find(
        (each) => each.required >= lost.required && coversSchema(each.copy, lost.copy, definitions),
      );
      if (taken === undefined) continue;
      tell(
        'alternative-never-given',
        { subject: formatSubject(place), lost: lost.name(), taken: taken.name() },
        place.at,
      );
    }
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>;
type Inner = (general: JsonSchema | undefined, special: JsonSchema | undefined) => boolean;

/** True is certain; false may mean unknown. */
function coversSchema(
  general: JsonSchema,
  special: JsonSchema,
  schemas: Schemas,
  open: ReadonlySet<string> = new Set(),
): boolean {
  // A comparison in progress counts as true, so that recursive schemas end.
  const question = [general, special]
    .map((each) => (typeof each === 'object' ? (each.$ref ?? '') : ''))
    .join(' ');
  if (question !== ' ' && open.has(question)) return true;
  const asked = new Set([...open, question]);
  const [all, some] = [resolveSchema(general, schemas), resolveSchema(special, schemas)];
  if (all === undefined || some === undefined) return false;
  const coversInner: Inner = (a = true, b = true) => coversSchema(a, b, schemas, asked);
  const parts = some.anyOf ?? some.oneOf;
  if (parts !== undefined) return parts.every((part) => coversInner(all, part));
  return Object.keys(all).every((keyword) => impliesKeyword(keyword, all, some, coversInner));
}

function impliesKeyword(
  keyword: string,
  general: JsonSchemaObject,
  special: JsonSchemaObject,
  inner: Inner,
): boolean {
  const { properties = {}, required = [] } = special;
  switch (keyword) {
    case 'type':
      return (
        listJsonTypes(special).length > 0 &&
        listJsonTypes(special).every((type) => listJsonTypes(general).includes(type))
      );
    case 'anyOf':
    case 'oneOf':
      return general[keyword]?.some((part) => inner(part, special)) === true;
    case 'required':
      return general.required?.every((name) => required.includes(name)) === true;
    case 'properties':
      return Object.entries(general.properties ?? {}).every(([name, schema]) =>
        inner(schema, getOwnMember(properties, name) as JsonSchema | undefined),
      );
    case 'additionalProperties':
      return [special.additionalProperties, ...Object.values(properties)].every((schema) =>
        inner(general.additionalProperties, schema),
      );
    case 'items':
      return inner(general.items, special.items);
    case 'const':
    case 'enum':
      return (
        listEnumValues(special)?.every((value) =>
          listEnumValues(general)?.some((each) => isDeepStrictEqual(each, value)),
        ) === true
      );
    default:
      return isDeepStrictEqual(general[keyword], special[keyword]);
  }
}

function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchemaObject | undefined {
  if (typeof schema === 'boolean') return schema ? {} : undefined;
  const name = definitionNameOf(schema.$ref);
  if (name === undefined) return schema;
  const target = getOwnMember(schemas, name) as JsonSchema | undefined;
  return target === undefined ? undefined : resolveSchema(target, schemas);
}

function listJsonTypes({ type }: JsonSchemaObject): string[] {
  const types: string[] = [type ?? []].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
}

function listEnumValues(schema: JsonSchemaObject): readonly Json[] | undefined {
  return 'const' in schema ? [schema.const as Json] : schema.enum;
}
