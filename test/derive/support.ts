/** Small SourceModels, written as tests want to read them. */
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { deriveServer, type DeriveOptions } from '../../src/derive/index.ts';
import { assertSchemas } from '../../src/model/assert-model.ts';
import type { DocumentOrigin } from '../../src/model/origin.ts';
import type { ServerModel, Tool } from '../../src/model/server-model.ts';
import type {
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Response,
  SourceModel,
  SourcePrompt,
} from '../../src/model/source-model.ts';
import type { BodyKind, ParameterLocation } from '../../src/model/bindings.ts';
import type { JsonSchema } from '../../src/util/json-schema.ts';
import { expectWellPut } from '../support/well-put.ts';

export const origin: DocumentOrigin = { kind: 'document', file: 'api.yaml', pointer: '' };

/** `operation('GET /pets/{petId}', { … })`; path parameters that are not given are strings. */
export function operation(key: string, rest: Partial<Operation> = {}): Operation {
  const [method = '', path = ''] = key.split(/ (.*)/s);
  const given = rest.parameters ?? [];
  const missing = [...path.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !given.some((each) => each.in === 'path' && each.name === name));
  return {
    kind: 'operation',
    origin: { ...origin, pointer: `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}` },
    method,
    path,
    tags: [],
    responses: [],
    ...rest,
    parameters: [...missing.map((name) => parameter('path', name)), ...given],
  };
}

export function parameter(
  place: ParameterLocation,
  name: string,
  schema: JsonSchema = { type: 'string' },
  rest: Partial<Parameter> = {},
): Parameter {
  return { origin, name, in: place, required: place === 'path', schema, ...rest };
}

export function media(mediaType: string, schema: JsonSchema, rest: Partial<MediaType> = {}): MediaType {
  return { origin, mediaType, kind: kindOf(mediaType), schema, ...rest };
}

function kindOf(mediaType: string): BodyKind {
  if (mediaType.endsWith('json')) return 'json';
  if (mediaType === 'application/x-www-form-urlencoded') return 'form';
  if (mediaType.startsWith('multipart/')) return 'multipart';
  if (mediaType.endsWith('xml')) return 'xml';
  return mediaType.startsWith('text/') ? 'text' : 'binary';
}

export function jsonBody(schema: JsonSchema, rest: Partial<RequestBody> = {}): RequestBody {
  return body([media('application/json', schema)], rest);
}

export function body(content: MediaType[], rest: Partial<RequestBody> = {}): RequestBody {
  return { origin, required: true, content, ...rest };
}

export function response(status: string, mediaType?: string, schema?: JsonSchema): Response {
  const content = mediaType === undefined ? [] : [{ mediaType, ...(schema === undefined ? {} : { schema }) }];
  return { origin, status, content };
}

export function prompt(name: string, rest: Partial<SourcePrompt> = {}): SourcePrompt {
  return {
    kind: 'prompt',
    origin,
    name,
    arguments: [],
    messages: [{ role: 'user', text: 'Hello.' }],
    ...rest,
  };
}

export function source(
  capabilities: SourceModel['capabilities'],
  rest: Partial<SourceModel> = {},
): SourceModel {
  return {
    info: { title: 'Petstore', version: '1.0.0' },
    servers: [{ url: 'https://api.example.com/v1' }],
    securitySchemes: {},
    schemas: {},
    schemaOrigins: {},
    capabilities,
    origin,
    ...rest,
  };
}

export interface Derived {
  model: ServerModel;
  /** Names of the diagnostics, in order. */
  problems: string[];
  messages: string[];
}

/** Derives and checks every invariant. */
export function derive(given: SourceModel, options: DeriveOptions = {}): Derived {
  const diagnostics = new DiagnosticCollector();
  const model = deriveServer([{ source: given }], options, diagnostics);
  assertSchemas(model);
  expectWellPut(diagnostics.found);
  return {
    model,
    problems: diagnostics.found.map(({ name }) => name),
    messages: diagnostics.found.map(({ message, hint }) => [message, hint ?? ''].join(' ')),
  };
}

/** The only tool of a source with the one operation. */
export function deriveTool(
  given: Operation,
  rest: Partial<SourceModel> = {},
  options: DeriveOptions = {},
): Tool {
  const [tool] = derive(source([given], rest), options).model.tools;
  if (tool === undefined) throw new Error('no tool was derived');
  return tool;
}
