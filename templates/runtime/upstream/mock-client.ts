// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers instead of the API (`--mock`). */
import { pickAndDropMembers } from '../contract/answer-members.ts';
import type { HttpBinding, ResultBinding, UpstreamBinding } from '../contract/bindings.ts';
import type { ListedAnswer, Mock, MockAnswer } from '../feature-loaders.ts';
import {
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  listSubschemas,
  definitionNameOf,
  chooseResponseMemberName,
} from '../contract/json-schema.ts';
import type { WireAnswer } from './send.ts';
import { type UpstreamSettings, chooseServerUrl } from './upstream-settings.ts';
import type { UpstreamLimits } from '../contract/feature.ts';
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts';
import { WORD, isImageOrAudio, sampleMedia } from '../sample/media.ts';
import { makeSample } from '../sample/sample-of.ts';
import { getOwnMember, readJson, writeJson } from '../contract/json-value.ts';
import { isXmlType } from '../contract/xml-names.ts';
import { isJsonType, isMediaRange, isSequentialType, isText } from '../contract/http-syntax.ts';
import { parseSequence, printSequence } from './stream-answer.ts';
import { listItemTexts, printParameterValue } from './parameter-values.ts';
import { xmlBody } from './xml-body.ts';

/** No host has this name (RFC 2606). */
const NOWHERE = 'http://mock.invalid';

/** Checks arguments, runs hooks and limits answers like the real client. Credentials are not read. */
export function createMockClient(
  api: UpstreamBinding,
  settings: UpstreamSettings,
  mock: Mock,
  listed: (tool: string) => ListedAnswer | undefined,
): UpstreamClient {
  const known = new Map<string, WireAnswer>();
  const answer: NonNullable<UpstreamSettings['answer']> = ({ method }, binding, tool) => {
    const operation = `${binding.method} ${binding.path}`;
    const made =
      known.get(operation) ??
      mockAnswer(mock, operation, binding, tool === undefined ? undefined : listed(tool), settings.limits);
    known.set(operation, made);
    return method === 'HEAD' ? { ...made, body: Buffer.alloc(0) } : made;
  };
  const placed = createUpstreamClient({ ...api, headers: {} }, { ...settings, answer });
  const nowhere = createUpstreamClient(
    { ...api, servers: [], securitySchemes: {}, headers: {} },
    { ...settings, baseUrl: NOWHERE, answer },
  );
  return {
    call(binding, args, options) {
      const { servers, ...rest } = { ...binding, security: [], ifSet: [] };
      const isPlaced = hasServerUrl(api, binding, settings);
      const own = isPlaced && servers !== undefined ? { ...rest, servers } : rest;
      return (isPlaced ? placed : nowhere).call(own, args, options);
    },
  };
}

function hasServerUrl(api: UpstreamBinding, binding: HttpBinding, settings: UpstreamSettings): boolean {
  try {
    chooseServerUrl(api, binding, settings);
    return true;
  } catch {
    return false;
  }
}

/** Stands for a schema left out when compiling: most named ones are objects. */
const LEFT_OUT: JsonSchema = { type: 'object', maxProperties: 0 };

/** Makes an answer; 204 if the operation has none. */
export function mockAnswer(
  mock: Mock,
  operation: string,
  { result = {} }: Pick<HttpBinding, 'result'>,
  listed: ListedAnswer | undefined,
  limits: UpstreamLimits,
): WireAnswer {
  const answer: MockAnswer = getOwnMember(mock.answers, operation) ?? { status: 204 };
  const { status, mediaType: stated } = answer;
  const headers = makeHeaders(mock, answer);
  const empty = { status, headers, body: Buffer.alloc(0), truncated: false };
  if (stated === undefined) return empty;
  const value = chooseMockValue(mock, answer, stated, result, listed);
  const mediaType = chooseMockMediaType(stated, value);
  const head = { ...empty, headers: { ...headers, 'content-type': mediaType } };
  if (!isSequentialType(mediaType)) return { ...head, body: mockBytes(mediaType, value) };
  const text = typeof value === 'string' ? value : printSequence(mediaType, [value ?? []].flat());
  return { ...head, sequence: parseSequence(text, mediaType, limits) };
}

function makeHeaders(mock: Mock, { headers = {} }: MockAnswer): Record<string, string> {
  const lines = Object.entries(headers).map(([name, schema]) => [
    name,
    printSampleHeader(sampleSchema(mock, schema)),
  ]);
  return Object.fromEntries(lines.filter(([, value]) => value !== undefined));
}

/** Writes a value in style `simple`; undefined if no header can hold it. */
function printSampleHeader(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object')
    value = listItemTexts(Array.isArray(value) ? value : Object.entries(value).flat()).join();
  const text = printParameterValue(value);
  return /^[\t\u0020-\u007e]+$/.test(text) ? text : undefined;
}

/** Prefers values that fit the listed output schema. */
function chooseMockValue(
  mock: Mock,
  answer: MockAnswer,
  mediaType: string,
  result: ResultBinding,
  listed: ListedAnswer | undefined,
): Json | undefined {
  const { wrapped = false } = result;
  const isStructured = isJsonType(mediaType) && !isSequentialType(mediaType);
  const examples =
    answer.example === undefined ? [] : listExampleReadings(mock.examples[answer.example], isStructured);
  // Schemas can't describe the bytes of an image.
  if (!isStructured)
    return examples[0] ?? (isShownAsText(mediaType) ? sampleSchema(mock, answer.schema) : undefined);
  const fitsOutputSchema = (given: Json): boolean => {
    const value = pickAndDropMembers(given, result);
    return listed?.isValid(wrapped ? { result: value } : value) ?? true;
  };
  const { schema } = answer;
  return (
    examples.find(fitsOutputSchema) ??
    (canResolveAllSchemas(schema, mock.schemas) ? sampleSchema(mock, schema) : undefined) ??
    (listed === undefined ? undefined : sampleUnwrapped(listed.schema, wrapped)) ??
    sampleSchema(mock, schema) ??
    examples[0]
  );
}

function isShownAsText(mediaType: string): boolean {
  return isText(mediaType) || isSequentialType(mediaType) || isMediaRange(mediaType);
}

/** JSON examples are often strings. */
function listExampleReadings(example: Json | undefined, isStructured: boolean): Json[] {
  if (example === undefined) return [];
  if (!isStructured || typeof example !== 'string' || !/^\s*[[{]/.test(example)) return [example];
  try {
    return [readJson(example) as Json, example];
  } catch {
    return [example];
  }
}

function sampleSchema(mock: Mock, schema: JsonSchema | undefined): Json | undefined {
  if (schema === undefined) return undefined;
  const $defs = collectReferenced(schema, mock.schemas);
  return makeSample(typeof schema === 'object' ? { ...schema, $defs } : schema, { full: true });
}

function canResolveAllSchemas(schema: JsonSchema | undefined, schemas: Mock['schemas']): boolean {
  if (schema === undefined) return false;
  return Object.keys(collectReferenced(schema, schemas)).every((name) => Object.hasOwn(schemas, name));
}

/** Unwraps `{ result }` of answers that are not objects. */
function sampleUnwrapped(schema: JsonSchema, wrapped: boolean): Json | undefined {
  const value = makeSample(schema, { full: true });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (wrapped) return value['result'];
  const own = chooseResponseMemberName(typeof schema === 'object' ? schema.properties : {});
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== own));
}

/** Collects referenced schemas, prepared for samples. */
function collectReferenced(schema: JsonSchema, schemas: Mock['schemas']): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const open = [schema];
  for (const each of open) {
    if (typeof each === 'boolean') continue;
    const name = definitionNameOf(each.$ref);
    if (name !== undefined && !found.has(name)) {
      const target = getOwnMember(schemas, name) ?? LEFT_OUT;
      found.set(name, target);
      open.push(target);
    }
    prepareForSample(each, schemas);
    for (const { schema: inner } of listSubschemas(each)) open.push(inner);
  }
  return Object.fromEntries(found);
}

/** Converts OpenAPI's `example`, and removes write-only properties. */
function prepareForSample(schema: JsonSchemaObject, schemas: Mock['schemas']): void {
  const { example, properties, required } = schema;
  if (example !== undefined) schema.examples = [example as Json];
  if (properties === undefined) return;
  const gone = Object.keys(properties).filter((name) => isWriteOnly(properties[name], schemas));
  for (const name of gone) Reflect.deleteProperty(properties, name);
  if (required !== undefined) schema.required = required.filter((name) => !gone.includes(name));
}

function isWriteOnly(schema: JsonSchema | undefined, schemas: Mock['schemas']): boolean {
  if (typeof schema !== 'object') return false;
  if (schema.writeOnly === true) return true;
  const name = definitionNameOf(schema.$ref);
  const target = name === undefined ? undefined : getOwnMember(schemas, name);
  return typeof target === 'object' && target.writeOnly === true;
}

/** Samples of images and sounds are PNG and WAVE. */
function chooseMockMediaType(stated: string, value: Json | undefined): string {
  const isBytes = decodeIfBase64(value) === undefined && !isText(stated) && !isJsonType(stated);
  if (isImageOrAudio(stated) && (isBytes || isMediaRange(stated))) return sampleMedia(stated).mimeType;
  if (!isMediaRange(stated)) return stated;
  if (typeof value === 'string' || /^text\//i.test(stated)) return 'text/plain';
  return value === undefined ? 'application/octet-stream' : 'application/json';
}

function mockBytes(mediaType: string, value: Json | undefined): Buffer {
  if (isJsonType(mediaType)) return Buffer.from(writeJson(value ?? {}));
  const bytes = isText(mediaType) ? undefined : (decodeIfBase64(value) ?? sampleMediaBytes(mediaType));
  return bytes ?? Buffer.from(printAsMediaType(mediaType, value));
}

function sampleMediaBytes(mediaType: string): Buffer | undefined {
  return isImageOrAudio(mediaType) ? sampleMedia(mediaType).bytes : undefined;
}

function printAsMediaType(mediaType: string, value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (isXmlType(mediaType)) return xmlBody({ root: { name: WORD } }, WORD, value ?? '');
  return value === undefined ? WORD : writeJson(value);
}

/** Undefined unless the value is base64. */
function decodeIfBase64(value: Json | undefined): Buffer | undefined {
  if (typeof value !== 'string' || value.length < 4 || value.length % 4 > 0) return undefined;
  return /^[A-Za-z\d+/]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : undefined;
}
