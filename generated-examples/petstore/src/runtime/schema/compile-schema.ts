// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Compiles a schema to a function that reports what is wrong with a value. No code is ever generated. Texts of URIs, prompts and headers get
 * the types of their schemas.
 */
import type { Bindings } from '../contract/bindings.ts';
import {
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  type ObjectSchema,
  listSubschemas,
  definitionNameOf,
} from '../contract/json-schema.ts';
import { isRecord, getOwnMember, parseNumber } from '../contract/json-value.ts';
import {
  compileInPlaceChecks,
  compileNumberChecks,
  compileReferences,
  compileStringChecks,
  compileValueChecks,
} from './keywords/in-place.ts';
import {
  compileArrayChecks,
  compileItemChecks,
  compileMemberChecks,
  compileObjectChecks,
  compileUnevaluatedItems,
  compileUnevaluatedProperties,
} from './keywords/members.ts';
import {
  type Check,
  Evaluated,
  Findings,
  type FormatTest,
  Halt,
  Run,
  type SchemaError,
  type SchemaLimits,
  type SchemaOptions,
  defaultLimits,
  reportFailure,
  combineChecksInSequence,
  toSchemaError,
} from './run.ts';
import { type SchemaNode, SchemaSet } from './schema-set.ts';

export type { Json, JsonObject, JsonSchema, JsonSchemaObject, JsonType } from '../contract/json-schema.ts';
export { moveMisfits, repairArguments } from './repair.ts';
export type { FormatTest, SchemaError, SchemaLimits, SchemaOptions } from './run.ts';
export { SchemaDefect } from './schema-set.ts';

export type Validator = (value: unknown) => SchemaError[];

/**
 * Compiles a JSON Schema 2020-12; each subschema becomes a closure when a value first reaches it. A keyword whose
 * value has the wrong shape is ignored.
 * @throws SchemaDefect when `$schema` names another dialect, a `$ref` leads nowhere or only to itself.
 */
export function compileSchema(schema: JsonSchema, options: SchemaOptions = {}): Validator {
  const { root } = compileSchemaSet(schema, options);
  const limits = { ...defaultLimits, ...options };
  return (value) => validateNode(root, value, limits);
}

/** Returns false also if a limit ends the search. */
export type Test = (value: unknown) => boolean;

/** Makes no messages: an invalid value costs no more than a valid one. @throws SchemaDefect as `compileSchema` does */
export function compileSchemaTest(schema: JsonSchema, options: SchemaOptions = {}): Test {
  const { root } = compileSchemaSet(schema, options);
  const limits = { ...defaultLimits, ...options };
  return (value) => runPass(root, value, new Run(limits)) === true;
}

export function compileSchemaSet(
  schema: JsonSchema,
  { schemas = {}, formats = {} }: SchemaOptions = {},
): SchemaSet {
  return new SchemaSet(schema, schemas, (node, tracked) => compileNode(node, tracked, formats));
}

/** Most values are valid, so the first pass only decides; a second one collects the errors. */
function validateNode(root: SchemaNode, value: unknown, limits: Required<SchemaLimits>): SchemaError[] {
  const first = runPass(root, value, new Run(limits));
  if (first === true) return [];
  if (first instanceof Halt) return limitExceededErrors(first, limits);
  const findings = new Findings(limits.maxErrors, 'halt');
  const second = runPass(root, value, new Run(limits, findings));
  const errors = findings.list.map(toSchemaError);
  // Errors that were found before a limit ended the search are enough.
  return second instanceof Halt && errors.length === 0 ? limitExceededErrors(second, limits) : errors;
}

function runPass(root: SchemaNode, value: unknown, run: Run): boolean | Halt {
  try {
    return root.check(value, run);
  } catch (error) {
    if (error instanceof Halt) return error;
    // The caller had used most of the stack, or Node runs with a small one.
    if (error instanceof RangeError) return new Halt('maxDepth');
    throw error;
  }
}

function limitExceededErrors({ limit }: Halt, limits: Required<SchemaLimits>): SchemaError[] {
  if (limit === undefined) return [];
  const words = {
    maxDepth: `is nested too deeply to be checked (at most ${limits.maxDepth} schemas inside one another)`,
    maxWork: 'is too large, or fits too many alternatives, to be checked against this schema',
  };
  const message = `The value ${words[limit]}`;
  return [{ instancePath: '', schemaPath: '#', keyword: limit, message, params: { limit: limits[limit] } }];
}

type Formats = Readonly<Record<string, FormatTest>>;

/** @param tracked whether the caller of the closure reads which members it evaluated */
function compileNode(node: SchemaNode, tracked: boolean, formats: Formats): Check {
  const { schema, set } = node;
  if (schema === true) return () => true;
  if (schema === false)
    return (_value, run) => reportFailure(run, node, 'false', { words: 'is not allowed' });
  const keeps = tracked || needsEvaluated(node);
  const check = combineChecksInSequence(compileKeywordChecks(node, keeps, formats)) ?? (() => true);
  // A node without subschemas ends at once, and is not counted against the limits.
  if (listSubschemas(schema).length === 0 && node.ref === undefined && node.dynamicRef === undefined)
    return check;
  const accounted = wrapWithDepthCount(keeps ? wrapWithEvaluatedRecord(check, tracked) : check);
  return set.usesDynamicRef ? wrapWithDynamicScope(accounted, node) : accounted;
}

/** The order reports the plain problem first and lets `unevaluated…` see what went before. */
function compileKeywordChecks(node: SchemaNode, tracked: boolean, formats: Formats): (Check | undefined)[] {
  const { applicator, unevaluated, validation } = node.resource.dialect;
  return [
    ...(validation ? compileValueChecks(node) : []),
    combineChecksByType({
      number: combineChecksInSequence(validation ? compileNumberChecks(node) : []),
      string: combineChecksInSequence(validation ? compileStringChecks(node, formats) : []),
      array: combineChecksInSequence([
        ...(validation ? compileArrayChecks(node) : []),
        ...(applicator ? compileItemChecks(node, tracked) : []),
      ]),
      object: combineChecksInSequence([
        ...(validation ? compileObjectChecks(node) : []),
        ...(applicator ? compileMemberChecks(node, tracked) : []),
      ]),
    }),
    ...compileReferences(node, tracked),
    ...(applicator ? compileInPlaceChecks(node, tracked) : []),
    unevaluated
      ? combineChecksByType({
          array: compileUnevaluatedItems(node),
          object: compileUnevaluatedProperties(node),
        })
      : undefined,
  ];
}

interface ChecksByType {
  number?: Check<number | bigint> | undefined;
  string?: Check<string> | undefined;
  array?: Check<readonly unknown[]> | undefined;
  object?: Check<Record<string, unknown>> | undefined;
}

function combineChecksByType({ number, string, array, object }: ChecksByType): Check | undefined {
  if ((number ?? string ?? array ?? object) === undefined) return undefined;
  return (value, run) => {
    if (typeof value === 'string') return string === undefined || string(value, run);
    if (typeof value === 'number' || typeof value === 'bigint')
      return number === undefined || number(value, run);
    if (Array.isArray(value)) return array === undefined || array(value, run);
    return object === undefined || !isRecord(value) || object(value, run);
  };
}

function wrapWithDepthCount(check: Check): Check {
  return (value, run) => {
    run.enterSchema();
    const ok = check(value, run);
    run.leaveSchema();
    return ok;
  };
}

/**
 * Gives the node its own record of evaluated members. A node that fails hands on nothing; while failures are reported
 * it does, or a second failure for every member below would hide the first.
 */
function wrapWithEvaluatedRecord(check: Check, handOn: boolean): Check {
  return (value, run) => {
    const outer = run.evaluated;
    const own = new Evaluated();
    run.evaluated = own;
    const ok = check(value, run);
    run.evaluated = outer;
    if (handOn && (ok || run.findings !== undefined)) outer?.mergeEvaluated(own);
    return ok;
  };
}

function wrapWithDynamicScope(check: Check, { resource }: SchemaNode): Check {
  return (value, run) => {
    if (run.scope.at(-1) === resource) return check(value, run);
    run.scope.push(resource);
    const ok = check(value, run);
    run.scope.pop();
    return ok;
  };
}

/** JSON Schema Core, section 11. */
function needsEvaluated(node: SchemaNode): boolean {
  if (!node.resource.dialect.unevaluated) return false;
  return (node.getSubnode('unevaluatedProperties') ?? node.getSubnode('unevaluatedItems')) !== undefined;
}

/** The whole input schema of a tool of which the catalog lists less. */
export function findWholeInput(
  { tools, schemas = {} }: Pick<Bindings, 'tools' | 'schemas'>,
  tool: string,
): ObjectSchema | undefined {
  const input = getOwnMember(tools, tool)?.input;
  if (input === undefined) return undefined;
  const $defs = new Map(Object.entries(input.$defs ?? {}));
  const open: JsonSchema[] = [input];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    for (const inner of listSubschemas(next)) open.push(inner.schema);
    const name = definitionNameOf(next.$ref) ?? '';
    const target = $defs.has(name) ? undefined : getOwnMember(schemas, name);
    if (target === undefined) continue;
    $defs.set(name, target);
    open.push(target);
  }
  return $defs.size === 0 ? input : { ...input, $defs: Object.fromEntries($defs) };
}

/**
 * Converts a text to a number or boolean if its schema wants one and no text. Others stay texts, for validation to
 * refuse. `$ref` is not followed.
 */
export function convertTextsBySchema(value: string | string[], schema: JsonSchema | undefined): unknown {
  const target = typeof schema === 'object' ? schema : {};
  const items = typeof target.items === 'object' ? target.items : {};
  if (target.type === 'array') return [value].flat().map((each) => convertTextBySchema(each, items));
  // A comma in a simple expression reads as a list.
  return convertTextBySchema(Array.isArray(value) ? value.join(',') : value, target);
}

function convertTextBySchema(text: string, schema: JsonSchemaObject): unknown {
  const alternatives = listAlternatives(schema);
  if (alternatives.some((each) => acceptsTextAsIs(text, each))) return text;
  const types = alternatives.flatMap(listTypes);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = types.includes('integer') || types.includes('number');
  return isNumeric && isNumericText(text) ? parseNumber(text) : text;
}

function listAlternatives(schema: JsonSchemaObject): JsonSchemaObject[] {
  if (schema.anyOf === undefined) return [schema];
  return schema.anyOf.flatMap((each) => (typeof each === 'object' ? listAlternatives(each) : [{}]));
}

function listTypes({ type = [] }: JsonSchemaObject): JsonType[] {
  return [type].flat();
}

/** Whether the schema accepts the text as it is. No text of a `format`, such as a date, looks like a number. */
function acceptsTextAsIs(text: string, schema: JsonSchemaObject): boolean {
  const types = listTypes(schema);
  if (types.length > 0 && !types.includes('string')) return false;
  if (schema.enum !== undefined) return schema.enum.includes(text);
  if (schema.const !== undefined) return schema.const === text;
  return schema.format === undefined || !isNumericText(text);
}

function isNumericText(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}
