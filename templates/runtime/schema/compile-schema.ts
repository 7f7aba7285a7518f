/** From a schema to a function that tells what is wrong with a value. No code is ever generated. */
import { compileNode } from './compile-node.ts';
import { Findings, type SchemaError, toSchemaError } from './findings.ts';
import type { JsonSchema } from '../contract/json-schema.ts';
import { defaultLimits, type SchemaLimits, type SchemaOptions } from './options.ts';
import { assertNoLoops } from './reference-loops.ts';
import { Halt, Run } from './run.ts';
import type { SchemaNode } from './schema-node.ts';
import { SchemaSet } from './schema-set.ts';

/** Returns what is wrong with a value; empty when it is valid. */
export type Validator = (value: unknown) => SchemaError[];

/**
 * Compiles a JSON Schema 2020-12. References are followed at once; each subschema becomes a closure when a
 * value first reaches it. A keyword whose value has the wrong shape is ignored.
 *
 * @throws SchemaDefect when `$schema` names another dialect, a `$ref` leads nowhere or only to itself.
 */
export function compileSchema(schema: JsonSchema, options: SchemaOptions = {}): Validator {
  const set = compileSet(schema, options);
  const bounds = boundsOf(options);
  return (value) => validate(set, value, bounds);
}

/** Returns whether a value is valid; not, where a limit ends the search. */
export type Test = (value: unknown) => boolean;

/**
 * As `compileSchema`, for who needs no words: a value that is not valid costs no more than one that is.
 *
 * @throws SchemaDefect as `compileSchema` does
 */
export function compileTest(schema: JsonSchema, options: SchemaOptions = {}): Test {
  const { root } = compileSet(schema, options);
  const bounds = boundsOf(options);
  return (value) => runPass(root, value, new Run(bounds)) === true;
}

function compileSet(schema: JsonSchema, { schemas = {}, formats = {} }: SchemaOptions): SchemaSet {
  const set: SchemaSet = new SchemaSet(schema, schemas, (node, tracked) =>
    compileNode(node, tracked, { set, formats }),
  );
  assertNoLoops(set);
  return set;
}

function boundsOf(limits: SchemaLimits): Required<SchemaLimits> {
  return { ...defaultLimits, ...limits };
}

/** Most values are valid, so the first pass only decides; a second one collects the errors. */
function validate({ root }: SchemaSet, value: unknown, limits: Required<SchemaLimits>): SchemaError[] {
  const first = runPass(root, value, new Run(limits));
  if (first === true) return [];
  if (first instanceof Halt) return limitErrors(first, limits);
  const findings = new Findings(limits.maxErrors, 'halt');
  const second = runPass(root, value, new Run(limits, findings));
  const errors = findings.list.map(toSchemaError);
  // The value is invalid in any case; errors that were found before a limit ended the search are enough.
  return second instanceof Halt && errors.length === 0 ? limitErrors(second, limits) : errors;
}

/** Whether the value is valid, or what ended the pass before that was known. */
function runPass(root: SchemaNode, value: unknown, run: Run): boolean | Halt {
  try {
    return root.check(value, run);
  } catch (error) {
    if (error instanceof Halt) return error;
    // The stack ended before the limit: the caller had used up most of it, or Node runs with a small one.
    if (error instanceof RangeError) return new Halt('maxDepth');
    throw error;
  }
}

function limitErrors({ limit }: Halt, limits: Required<SchemaLimits>): SchemaError[] {
  if (limit === undefined) return [];
  const words = {
    maxDepth: `is nested too deeply to be checked (at most ${limits.maxDepth} schemas inside one another)`,
    maxWork: 'is too large, or fits too many alternatives, to be checked against this schema',
  };
  const message = `The value ${words[limit]}`;
  return [{ instancePath: '', schemaPath: '#', keyword: limit, message, params: { limit: limits[limit] } }];
}
