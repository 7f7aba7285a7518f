/** Arguments by name as a function takes them: one object, or one after the other, the `Context` where it stands. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { Context } from '../definition.ts';
import { refuseInherited } from './members.ts';
import { type Codecs, decodeArgument, NotRevivable } from './decode-arguments.ts';
import { compileSchema, type Validator, compileTest, type Test } from '../schema/index.ts';
import type { JsonSchema, JsonSchemaObject } from '../contract/json-schema.ts';
import { isRecord, member } from '../contract/json-value.ts';
import type { CodecBranch, UnionCodec } from '../contract/codec.ts';

/** Arguments that a function prepared for another, as that one takes them: no client can give any. */
export const PREPARED = Symbol('prepared');

export type Arguments = Record<string, unknown> & { [PREPARED]?: Record<string, unknown> };

/** @throws {NotRevivable} for an argument that its schema takes and its type does not */
export function argumentList(
  binding: FunctionBinding,
  args: Arguments,
  context: Context,
  codecs: Codecs = {},
): unknown[] {
  const { parameters, contextAt, contextIn, rest = false } = binding;
  const revived = decodeArguments(binding, args, codecs);
  const values = args[PREPARED] === undefined ? revived : { ...revived, ...args[PREPARED] };
  const list =
    parameters === 'object'
      ? [withContext(values, contextIn, context)]
      : parameters.map((name) => own(values, name));
  const last = rest ? list.pop() : undefined;
  if (contextAt !== undefined) list.splice(contextAt, 0, context);
  if (Array.isArray(last)) list.push(...(last as unknown[]));
  // Some functions count what they are given.
  while (list.length > 0 && list.at(-1) === undefined) list.pop();
  return list;
}

/**
 * By the names of parameters.
 *
 * @throws {NotRevivable} for an argument that its schema takes and its type does not
 */
export function decodeArguments(
  binding: FunctionBinding,
  args: Record<string, unknown>,
  codecs: Codecs = {},
): Record<string, unknown> {
  refuseInherited(args);
  return decodeArgument(named(binding.properties, args), binding.argumentCodec, codecs) as Record<
    string,
    unknown
  >;
}

function withContext(
  args: Record<string, unknown>,
  names: readonly string[] = [],
  context: Context,
): Record<string, unknown> {
  return names.length === 0 ? args : { ...args, ...Object.fromEntries(names.map((name) => [name, context])) };
}

/** Absent is `undefined`, so that the function's own default applies. */
function own(args: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** By the names that the function knows. */
export function named<T>(
  properties: FunctionBinding['properties'],
  args: Record<string, T>,
): Record<string, T> {
  if (properties === undefined) return args;
  const names = new Map(Object.entries(properties));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value]));
}

export class ArgumentChecks {
  readonly #codecs: Codecs;
  readonly #validators = new WeakMap<object, Validator>();

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  /** What the schema finds wrong, a clause each. */
  bySchema({ input }: FunctionBinding, args: Record<string, unknown>): string[] {
    if (input === undefined) return [];
    let validate = this.#validators.get(input);
    if (validate === undefined) this.#validators.set(input, (validate = compileSchema(input)));
    return validate(args).map(({ message }) => message);
  }

  /** What is wrong at all. */
  all(binding: FunctionBinding, args: Record<string, unknown>): string[] {
    const misfits = this.bySchema(binding, args);
    if (misfits.length > 0) return misfits;
    try {
      decodeArguments(binding, args, this.#codecs);
      return [];
    } catch (thrown) {
      if (thrown instanceof NotRevivable) return [...thrown.misfits];
      throw thrown;
    }
  }
}

type Schemas = UnionCodec['schemas'];

const tests = new WeakMap<JsonSchemaObject, Test>();

/** The alternatives whose schema accepts a JSON value; all, where none does, since the whole was found valid. */
export function acceptingBranches(
  value: unknown,
  branches: readonly CodecBranch[],
  schemas: Schemas,
): readonly CodecBranch[] {
  if (branches.length < 2) return branches;
  const accepting = branches.filter(
    ({ accepts }) => accepts === undefined || isValid(value, accepts, schemas),
  );
  return accepting.length === 0 ? branches : accepting;
}

/**
 * Whether a result is what can be seen of an alternative before it is written: how many items it has, and the members that are
 * JSON already (texts, numbers, truth values).
 */
export function acceptsPlainParts(value: object, { accepts }: CodecBranch, schemas: Schemas): boolean {
  const { properties = {}, minItems = 0, maxItems = Infinity } = objectSchema(accepts, schemas) ?? {};
  if (Array.isArray(value)) return value.length >= minItems && value.length <= maxItems;
  return Object.entries(properties).every(([name, schema]) => {
    const part = (value as Record<string, unknown>)[name];
    const isPlain = typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
    return !isPlain || isValid(part, schema, schemas);
  });
}

/** Whether a schema accepts a value; not, where that takes more work than a validation may. */
export function isValid(value: unknown, schema: JsonSchema, schemas: Schemas = {}): boolean {
  if (typeof schema === 'boolean') return schema;
  let test = tests.get(schema);
  if (test === undefined) tests.set(schema, (test = compileTest({ ...schema, $defs: schemas })));
  return test(value);
}

/** What a schema says of an object's members; undefined where that is more than one thing. */
export function objectSchema(
  schema: JsonSchema | undefined,
  schemas: Schemas = {},
): JsonSchemaObject | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema as JsonSchemaObject;
  if ($ref !== undefined)
    return objectSchema(member(schemas, $ref.slice('#/$defs/'.length)) as JsonSchema | undefined, schemas);
  return schema;
}
