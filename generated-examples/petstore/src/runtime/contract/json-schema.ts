// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON Schema, and the data that the compiler writes: codecs and the catalog. */
import type { Guards } from './guards.ts';
import { isRecord, getOwnMember, percentDecode } from './json-value.ts';

// JSON, and JSON Schema 2020-12.

/** RFC 8259. In arguments and answers an integer beyond ±2^53 is a `bigint`, which this type leaves out. */
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

type Properties = Readonly<Record<string, JsonSchema>> | undefined;

/**
 * The member of a structure for what the API said beside its answer: the last that `properties` declare, or with a higher
 * number if the answer has one of that name.
 */
export function chooseResponseMemberName(properties: Properties, answer: object = {}): string {
  let number = lastResponseMemberNumber(properties) || 1;
  while (Object.hasOwn(answer, numberedResponseMemberName(number))) number += 1;
  return numberedResponseMemberName(number);
}

export function unusedResponseMemberName(properties: Properties): string {
  return numberedResponseMemberName(lastResponseMemberNumber(properties) + 1);
}

/** Finds the last number; 0 if none is declared. */
function lastResponseMemberNumber(properties: Properties = {}): number {
  const numbers = Object.keys(properties).map((name) => /^_response(?:_(\d{1,9}))?$/.exec(name));
  return Math.max(0, ...numbers.map((found) => (found === null ? 0 : Number(found[1] ?? 1))));
}

function numberedResponseMemberName(number: number): string {
  return number === 1 ? '_response' : `_response_${number}`;
}

// The walk through subschemas.

/** A keyword holds one schema, a list, or a map (JSON Schema Core, section 10). */
type Holds = 'schema' | 'list' | 'map';

const KEYWORDS: Readonly<Record<Holds, string>> = {
  schema:
    'items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else contentSchema',
  list: 'prefixItems allOf anyOf oneOf',
  map: '$defs properties patternProperties dependentSchemas',
};
const keywords = new Map(
  (['schema', 'list', 'map'] as const).flatMap((holds) =>
    KEYWORDS[holds].split(' ').map((keyword): [string, Holds] => [keyword, holds]),
  ),
);

export interface Subschema {
  step: string;
  schema: JsonSchema;
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

/** `const`, `enum` and unknown keywords hold data. */
export function listSubschemas(schema: JsonSchemaObject): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const holds = keywords.get(keyword);
    if (holds === 'schema') found.push(...listKeywordSubschema(schema, keyword));
    else if (holds === 'list') found.push(...listSubschemasInList(schema, keyword));
    else if (holds === 'map') for (const { entry } of listNamedSubschemas(schema, keyword)) found.push(entry);
  }
  return found;
}

export function listKeywordSubschema(schema: JsonSchemaObject, keyword: string): Subschema[] {
  const value = getOwnMember(schema, keyword);
  return isSchema(value) ? [{ step: `/${keyword}`, schema: value }] : [];
}

export function listSubschemasInList(schema: JsonSchemaObject, keyword: string): Subschema[] {
  const value = getOwnMember(schema, keyword);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) =>
    isSchema(item) ? [{ step: `/${keyword}/${index}`, schema: item }] : [],
  );
}

export function listNamedSubschemas(
  schema: JsonSchemaObject,
  keyword: string,
): { name: string; entry: Subschema }[] {
  const value = getOwnMember(schema, keyword);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    isSchema(item)
      ? [{ name, entry: { step: `/${keyword}/${escapePointerToken(name)}`, schema: item } }]
      : [],
  );
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

// The catalog: items in the shapes of the newest revision; older ones get the members they have.

export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

export interface Annotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
}

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

type StatedHints = ToolAnnotations & Required<Omit<ToolAnnotations, 'title'>>;

/** Adds hints that are not said: MCP's defaults, and what a reading tool implies. A tool that says it reads and destroys counts as destructive. */
export function fillInHints({ readOnlyHint: reads = false, ...said }: ToolAnnotations): StatedHints {
  const readOnlyHint = reads && said.destructiveHint !== true;
  const implied = { readOnlyHint, destructiveHint: !readOnlyHint, idempotentHint: readOnlyHint };
  return { ...implied, openWorldHint: true, ...said };
}

interface ListedItem {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  /** Since 2025-06-18. */
  _meta?: JsonObject;
}

export interface ListedTool extends ListedItem {
  /** Always `type: "object"` at the top: clients drop the whole server otherwise. */
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
}

/** How a tool may run as a task (revision 2025-11-25, and the extension of tasks). */
export interface ToolExecution {
  /** Whether a call may, or must, be a task. Default `forbidden`. */
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

interface ReadableItem extends ListedItem {
  mimeType?: string;
  annotations?: Annotations;
}

export interface ListedResource extends ReadableItem {
  uri: string;
  size?: number;
}

export interface ListedResourceTemplate extends ReadableItem {
  uriTemplate: string;
}

export interface ListedPromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

export interface ListedPrompt extends ListedItem {
  arguments?: ListedPromptArgument[];
}

/**
 * `src/generated/catalog.json`, with one member of an item a line and no other whitespace, the members in this order:
 * `{\n"tools":[\n{\n"name":…,\n…\n},\n…\n],\n"resources":[],\n…,\n"completions":true\n}`. Diffs show the members that
 * changed, and lists are sent without parsing. A large file begins with a pool of equal parts (`splitOffTextPool`). Any other layout
 * works, slower.
 */
export interface Catalog {
  tools: ListedTool[];
  resources: ListedResource[];
  resourceTemplates: ListedResourceTemplate[];
  prompts: ListedPrompt[];
  /** Whether `bindings.json` has completions. Absent: it is read to know. */
  completions?: boolean;
  /** Less is listed of some input schema than `bindings.json` has. Default false. */
  describes?: boolean;
  /** What the configuration states. Default nothing. */
  guards?: Pick<Guards, 'readOnly' | 'confirm' | 'auth'>;
}

/** Which tools are listed: all, the five by which others are found and called, or both. */
export type SurfaceName = 'tools' | 'search' | 'both';

export const SURFACES: readonly SurfaceName[] = ['tools', 'search', 'both'];

/** The tools of the search surface, in the order that they are listed. No other tool may have one of these names. */
export const SURFACE_TOOLS: readonly string[] = [
  'search_tools',
  'describe_tool',
  'call_read_tool',
  'call_write_tool',
  'call_destructive_tool',
];
