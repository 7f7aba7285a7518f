/**
 * Derives output schemas. They are loose by default: real APIs disobey their documents, and clients fail a call whose
 * answer does not conform.
 */
import { responseMember } from '../../../templates/runtime/results.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import type { ListedTool } from '../../model/listed-items.ts';
import { isJsonType, isSequentialType } from '../../util/http-syntax.ts';
import type { ResultBinding } from '../../model/bindings.ts';
import type { OutputSchemaMode } from '../../config/options/sources.ts';
import { asSchemaObject, composition, inlineReference, omitKeywords } from '../../model/schema-walk.ts';
import type { Operation, Response } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { makeSequenceListSchema, successContent } from '../body/success-response.ts';
import { keepMembersInSchema } from './answer-members.ts';
import { findObjectShape } from './object-shape.ts';
import { type SchemaView, resolveLoneReference } from './schema-view.ts';
import { isObjectType } from './schema-views.ts';

type OutputSchema = NonNullable<ListedTool['outputSchema']>;

type OutputDerivation =
  | { kind: 'none' }
  | { kind: 'too-large' }
  /** `wrapped`: the answer is no object, and is put under `result`. */
  | { kind: 'schema'; schema: OutputSchema; wrapped: boolean };

type Kept = Pick<ResultBinding, 'select' | 'drop' | 'fields'>;

interface OutputSettings {
  outputSchema: OutputSchemaMode;
  outputSchemaLimit: number;
}

export class OutputSchemas {
  readonly #view: SchemaView;
  readonly #partial: SchemaView;
  readonly #settings: OutputSettings;

  /** @param partial of answers whose members clients choose */
  constructor(view: SchemaView, settings: OutputSettings, partial = view) {
    this.#view = view;
    this.#partial = partial;
    this.#settings = settings;
  }

  deriveForOperation(operation: Operation, answerRules: Kept = {}): OutputDerivation {
    const derived = this.#deriveAnswer(operation, answerRules);
    return derived.kind === 'schema' && operation.responses.some(hasEmptyBody)
      ? {
          ...derived,
          schema: { ...omitKeywords(derived.schema, 'required', 'minProperties'), type: 'object' },
        }
      : derived;
  }

  #deriveAnswer(operation: Operation, answerRules: Kept): OutputDerivation {
    const view = answerRules.fields === undefined ? this.#view : this.#partial;
    const source = this.#settings.outputSchema === 'off' ? undefined : chooseAnswerSchema(operation, view);
    if (source === undefined) return { kind: 'none' };
    const answer = keepMembersInSchema(view.rewriteSchema(source), answerRules, view);
    const resolved = resolveLoneReference(answer, view);
    if (typeof resolved !== 'object' || Object.keys(resolved).every((keyword) => keyword === 'description'))
      return { kind: 'none' };
    const object = toObjectSchema(resolved, view);
    if (object === undefined)
      return addResponseMember(
        this.#makeDerivation(wrapInResult(answer, this.#settings.outputSchema), true, view),
      );
    return addResponseMember(this.#makeDerivation(object, false, view));
  }

  /**
   * Derives the schema of a function's result. A union of objects stays a union under `result`, since the compiler
   * has checked the type. `optional`: the value may be absent.
   */
  deriveForFunction(schema: JsonSchema, optional = false): OutputDerivation {
    const { outputSchema } = this.#settings;
    if (outputSchema === 'off') return { kind: 'none' };
    const value = this.#view.rewriteSchema(schema);
    const object = optional ? undefined : asPlainObjectSchema(inlineReference(value, this.#view));
    if (object !== undefined) return this.#makeDerivation(object, false);
    return this.#makeDerivation(wrapInResult(asSchemaObject(value), optional ? 'loose' : outputSchema), true);
  }

  #makeDerivation(top: OutputSchema, wrapped: boolean, view = this.#view): OutputDerivation {
    const defs = collectDefsWithinLimit(top, view, this.#settings.outputSchemaLimit);
    if (defs === undefined) return { kind: 'too-large' };
    const $defs = defs.size === 0 ? {} : { $defs: Object.fromEntries(defs) };
    return { kind: 'schema', schema: { ...top, ...$defs }, wrapped };
  }
}

/** The runtime adds this member to structures. It doesn't count for the limit, which is about the document's schemas. */
const RESPONSE: JsonSchemaObject = {
  type: 'object',
  properties: {
    headers: { type: 'object' },
    next: { type: 'object' },
    notes: { type: 'array', items: { type: 'string' } },
    drifted: { type: 'object' },
  },
};

function addResponseMember(derived: OutputDerivation): OutputDerivation {
  if (derived.kind !== 'schema') return derived;
  const { properties = {}, ...rest } = derived.schema;
  const { $defs, ...top } = rest;
  const wrapped = { ...properties, [responseMember(undefined, properties)]: RESPONSE };
  return { ...derived, schema: { ...top, properties: wrapped, ...omitUndefined({ $defs }) } };
}

/** HTTP forbids content in two of them, whatever the document says (RFC 9110, sections 15.3.5 and 15.3.6). */
function hasEmptyBody({ status, content }: Response): boolean {
  return /^20[45]$/.test(status) || (/^2(?:\d\d|xx)$/i.test(status) && content.length === 0);
}

/** Chooses JSON, else a sequence, as the runtime's `Accept` header does. */
export function chooseAnswerSchema(operation: Operation, view: SchemaView): JsonSchema | undefined {
  const content = successContent(operation);
  const json = content.find(({ mediaType }) => isJsonType(mediaType) && !isSequentialType(mediaType));
  if (json !== undefined) return json.schema;
  const sequence = content.find(({ mediaType }) => isSequentialType(mediaType));
  return sequence === undefined ? undefined : makeSequenceListSchema(sequence, view);
}

/**
 * Converts a schema that only accepts objects to one with `type: object` and no composition at its top: clients drop
 * the whole server over one tool with a union there. Composed schemas are joined loosely.
 */
function toObjectSchema(schema: JsonSchemaObject, view: SchemaView): OutputSchema | undefined {
  const shape = findObjectShape(schema, view);
  if (shape === undefined) return undefined;
  if (!composition.some((keyword) => schema[keyword] !== undefined)) return { ...schema, type: 'object' };
  return {
    type: 'object',
    ...omitUndefined({ description: schema.description }),
    properties: Object.fromEntries(
      [...shape.properties].map(([name, property]) => [name, asSchemaObject(property)]),
    ),
    ...(shape.required.size === 0 ? {} : { required: [...shape.required] }),
  };
}

function asPlainObjectSchema(schema: JsonSchema): OutputSchema | undefined {
  if (typeof schema !== 'object' || schema.type === undefined || !isObjectType(schema.type)) return undefined;
  if (composition.some((keyword) => schema[keyword] !== undefined)) return undefined;
  return { ...schema, type: 'object' };
}

function wrapInResult(answer: JsonSchema, mode: OutputSchemaMode): OutputSchema {
  const wrapped: OutputSchema = { type: 'object', properties: { result: answer } };
  return mode === 'strict' ? { ...wrapped, required: ['result'] } : wrapped;
}

/** Returns `$defs`; undefined as soon as the schema exceeds `limit` bytes. */
function collectDefsWithinLimit(
  top: JsonSchemaObject,
  view: SchemaView,
  limit: number,
): Map<string, JsonSchema> | undefined {
  let remaining = limit - jsonByteSize(top);
  if (remaining < 0) return undefined;
  let between = ',"$defs":{}'.length;
  const defs = view.collectReached([top], (name, schema) => {
    remaining -=
      between +
      (/^[\w .-]*$/.test(name) ? name.length + 2 : Buffer.byteLength(JSON.stringify(name))) +
      ':'.length +
      jsonByteSize(schema);
    between = ','.length;
    return remaining >= 0;
  });
  return remaining < 0 ? undefined : defs;
}

function jsonByteSize(schema: JsonSchema): number {
  return Buffer.byteLength(JSON.stringify(schema));
}
