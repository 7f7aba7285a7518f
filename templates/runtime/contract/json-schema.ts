// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A JSON value (RFC 8259). In arguments and answers an integer beyond ±2^53 is a `bigint`, which this type leaves out. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. A member that is `undefined` is absent. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** The seven types of JSON Schema 2020-12 (Validation, section 6.1.1). */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/** A JSON Schema 2020-12: a boolean, or an object of keywords. Unknown keywords are annotations. */
export type JsonSchema = boolean | JsonSchemaObject;

/** The keywords this project reads by name; every other keyword is carried as it stands. */
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

/** A schema of objects: what MCP demands at the top of a tool's schemas. */
export interface ObjectSchema extends JsonSchemaObject {
  type: 'object';
}
