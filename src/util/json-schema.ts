/** JSON, and JSON Schema 2020-12. */
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { percentDecode } from './json-value.ts';

/** RFC 8259. An integer beyond ±2^53 may be a `bigint` elsewhere, which this type leaves out. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A member that is `undefined` is absent. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/** Unknown keywords are annotations. */
export type JsonSchema = boolean | JsonSchemaObject;

export interface JsonSchemaObject {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $anchor?: string;
  $dynamicRef?: string;
  $dynamicAnchor?: string;
  $defs?: Record<string, JsonSchema>;
  type?: JsonType | JsonType[];
  enum?: Json[];
  const?: Json;
  title?: string;
  description?: string;
  default?: Json;
  examples?: Json[];
  deprecated?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  contains?: JsonSchema;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  unevaluatedItems?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  unevaluatedProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, JsonSchema>;
  minProperties?: number;
  maxProperties?: number;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  contentEncoding?: string;
  contentMediaType?: string;
  contentSchema?: JsonSchema;
  [keyword: string]: unknown;
}

export interface ObjectSchema extends JsonSchemaObject {
  type: 'object';
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value);
}

/** Whether null alone is valid. Such a branch of `anyOf` leaves no doubt which one is meant. */
export function allowsOnlyNull(schema: unknown): boolean {
  return isRecord(schema) && (schema['type'] === 'null' || schema['const'] === null);
}

/** Whether a schema plainly allows no value: `false`, or `{ "not": {} }`. */
export function allowsNothing(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return !schema;
  const { not } = schema;
  return not === true || (isRecord(not) && Object.keys(not).length === 0);
}

const DEFS = '#/$defs/';

/** The member of `$defs` that a reference names. */
export function definitionNameOf(ref: unknown): string | undefined {
  if (typeof ref !== 'string' || !ref.startsWith(DEFS)) return undefined;
  const segment = ref.slice(DEFS.length);
  if (!/[%~/]/.test(segment)) return segment;
  if (segment.includes('/')) return undefined;
  return unescapePointerToken(percentDecode(segment) ?? segment);
}

export function escapePointerToken(name: string | number): string {
  const token = String(name);
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** RFC 6901, section 4. */
export function unescapePointerToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map(unescapePointerToken) : tokens;
}
