// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `--mock`: answers from `src/generated/mock.json` and samples of schemas. No API and no function is called. */
import type { AnswerReader } from '../../call-api.ts';
import type { BindingWork, Call, Feature } from '../../feature.ts';
import { isRecord, ownMember, parseJson, writeJson } from '../../json-rpc.ts';
import { chooseServer, essence, isJsonType, print } from '../../request.ts';
import { errorResult, responseMember } from '../../results.ts';
import type { ApiResponse } from '../../send.ts';
import type { Server } from '../../server.ts';
import { getSetting, parseChoice, readGenerated } from '../../settings.ts';
import type {
  ApiBinding,
  Binding,
  HttpBinding,
  Json,
  JsonObject,
  Outcome,
  Schema,
  SchemaObject,
} from '../../types.ts';
import { compileSchema } from '../../validate.ts';
import { makeSample } from './sample.ts';

interface MockAnswer {
  status: number;
  /** As the document has it, perhaps a range (`image/*`). Absent: the answer has no body. */
  mediaType?: string;
  /** Schemas by lower-case name. */
  headers?: Record<string, Schema>;
  /** Its index in `examples`. */
  example?: number;
  schema?: Schema;
}
/** The compiler bounds it, and leaves out what is too large. */
interface MockData {
  /** By `<method> <path>`. Operations that are absent answer 204. */
  answers: Record<string, MockAnswer>;
  examples: Json[];
  schemas: Record<string, Schema>;
  /** Of a server with several APIs, by name. */
  apis?: Record<string, MockData>;
}

type MockedBinding = HttpBinding &
  Partial<Pick<ApiBinding, 'servers'>> & { known?: Record<string, { value?: Json }> };

const NOTHING: MockData = { answers: {}, examples: [], schemas: {} };

/** No host has this name (RFC 2606). */
const NOWHERE = 'http://mock.invalid';
const WORD = 'sample';
const MEDIA = {
  /** One grey pixel. */
  image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==',
  /** A sound of no length. */
  audio: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
};
const INSTEAD =
  'This stands for what a function returns: the server was started with --mock, and calls none.';

export function mock(): Feature {
  let data: MockData | undefined;
  let own: Server | undefined;
  const feature: Feature = {
    name: 'mock',
    settings: [
      { flag: 'mock', help: 'Answer from examples and schemas: no API and no function is called.' },
      { variable: 'MCP_MOCK', help: '1: the same as --mock.' },
    ],
    catalog: {
      select: (_, server) => {
        own = server;
        if (isOn(server)) removeVariables(server);
      },
    },
    startLine: (server) => (isOn(server) ? 'mock: on, nothing is called' : undefined),
    aroundSend: async (call, { operation }, next) => {
      const { server } = call.request;
      if (!isOn(server) || operation === undefined) return next();
      data ??= (readGenerated(server.definition, 'mock.json') as MockData | null) ?? NOTHING;
      return answerOperation(data, operation, call);
    },
    work: {
      function: {
        ...mockFunctions((server) => findOther(feature, server)),
        input: (schema, binding) =>
          own === undefined || isOn(own) ? undefined : findOther(feature, own).input?.(schema, binding),
      },
    },
    // No module of a function is loaded then. What it would answer is said above.
    parts: { functions: { standIn: (server: Server) => (isOn(server) ? () => undefined : undefined) } },
  };
  return feature;
}

function isOn({ flags, env }: Server): boolean {
  return flags['mock'] === true || parseChoice(getSetting(flags, env, '', 'MCP_MOCK'), ['0', '1']) === '1';
}

/** Nothing is sent, so no variable is needed: of an address, of credentials, of headers or of arguments. */
function removeVariables({ bindings, env, flags }: Server): void {
  const apis = [bindings.upstream ?? [], bindings.upstreams ?? []].flat();
  const { value: baseUrl } = getSetting(flags, env, 'base-url', 'API_BASE_URL');
  const placeAt = (api: ApiBinding): Partial<ApiBinding> => {
    try {
      chooseServer({ api, env, baseUrl });
      return {};
    } catch {
      return { servers: [{ url: NOWHERE }] };
    }
  };
  for (const api of apis) Object.assign(api, { securitySchemes: {}, headers: {} }, placeAt(api));
  const lists = [bindings.tools, bindings.resources, bindings.resourceTemplates];
  const operations = [...lists, ...Object.values(bindings.operations ?? {})].flatMap((items) =>
    Object.values(items as Record<string, { do: Binding }>),
  );
  for (const { do: binding } of operations) {
    const { servers, api: name, known = {} } = binding as MockedBinding;
    const api = apis.find((one) => one.name === name);
    if (api === undefined) continue;
    const place = servers && placeAt({ ...api, servers });
    Object.assign(binding, { security: [], ifSet: [], headers: {} }, place);
    for (const rule of Object.values(known)) if (rule.value === undefined) rule.value = WORD;
  }
}

// Answers of operations.

async function answerOperation(all: MockData, operation: HttpBinding, call: Call): Promise<ApiResponse> {
  const { method, path, api } = operation;
  const data = ownMember(all.apis, String(api)) ?? all;
  const answer = ownMember(data.answers, `${method} ${path}`) ?? { status: 204 };
  const { status, mediaType } = answer;
  const headers: Record<string, string> = {};
  for (const [name, schema] of Object.entries(answer.headers ?? {})) {
    const value = sampleOf(data, schema) ?? null;
    // Style `simple`.
    const text = [isRecord(value) ? Object.entries(value).flat() : value]
      .flat()
      .map((part) => print(part))
      .join();
    if (value !== null && /^[\t -~]+$/.test(text)) headers[name] = text;
  }
  const empty = { status, headers, body: Buffer.alloc(0), isCut: false };
  if (mediaType === undefined || method === 'HEAD') return empty;
  const { type, body } = writeBody(mediaType, chooseValue(data, answer, operation, call));
  const head = { status, headers: { ...headers, 'content-type': type } };
  return { ...empty, ...head, body, ...(await readByParts(head, body, operation, call)) };
}

/** A sequence is read as one of the API. */
async function readByParts(
  head: Pick<ApiResponse, 'status' | 'headers'>,
  body: Buffer,
  { method }: HttpBinding,
  call: Call,
): Promise<Partial<ApiResponse>> {
  const request = { method, url: new URL(NOWHERE), headers: new Map<string, string>() };
  const use = { call, request, redact: String, responseBytes: Infinity };
  for (const { parts } of call.request.server.features)
    for (const read of Object.values(ownMember(parts, 'answers') ?? {}) as AnswerReader[]) {
      const chunks = (async function* () {
        yield body;
      })();
      const answer = await read({ ...head, chunks, close: () => undefined }, use);
      if (answer !== undefined) return answer;
    }
  return {};
}

/** An example that the listed output schema accepts, else a sample. */
function chooseValue(
  data: MockData,
  { mediaType = '', example: index, schema }: MockAnswer,
  { result }: HttpBinding,
  { kind, name, request }: Call,
): Json | undefined {
  const example = index === undefined ? undefined : data.examples[index];
  const sample = sampleOf(data, schema);
  // Schemas don't describe the bytes of an image.
  if (mediaOf(mediaType) !== undefined) return example;
  if (!isJsonType(mediaType) || SEQUENCE.test(essence(mediaType))) return example ?? sample;
  const listed = kind === 'tool' ? request.server.catalog.tools.get(name)?.outputSchema : undefined;
  const check = compileSchema(listed ?? true);
  const isWrapped = result?.wrapped === true;
  const fitting = (example === undefined ? [] : readExample(example)).find(
    (value) => check(isWrapped ? { result: value } : value).length === 0,
  );
  return fitting ?? sample ?? sampleListed(listed, isWrapped) ?? example;
}

/** Documents often write JSON as a text. */
function readExample(example: Json): Json[] {
  if (typeof example !== 'string' || !/^\s*[[{]/.test(example)) return [example];
  try {
    return [parseJson(example) as Json, example];
  } catch {
    return [example];
  }
}

function sampleListed(schema: SchemaObject | undefined, isWrapped: boolean): Json | undefined {
  const value = schema && makeSample(schema, { full: true });
  if (!isRecord(value)) return value;
  const { [responseMember(schema)]: beside, result, ...members } = value as JsonObject;
  void beside;
  return isWrapped ? result : result === undefined ? members : { ...members, result };
}

/** A value of a schema, with the named ones that it reaches. What was left out when compiling is an object: most are. */
function sampleOf({ schemas }: MockData, schema: Schema | undefined): Json | undefined {
  if (schema === undefined || typeof schema === 'boolean') return schema ? makeSample(schema) : undefined;
  const $defs: Record<string, Schema> = {};
  const open: Schema[] = [schema];
  // The list grows while it is read.
  for (const one of open)
    for (const [, ref = ''] of JSON.stringify(one).matchAll(/"\$ref":"#\/\$defs\/([^"/]+)"/g)) {
      const name = decodeURIComponent(ref).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Object.hasOwn($defs, name)) continue;
      open.push(($defs[name] = ownMember(schemas, name) ?? { type: 'object', maxProperties: 0 }));
    }
  return makeSample({ ...schema, $defs }, { full: true });
}

const SEQUENCE =
  /^text\/event-stream|^application\/stream\+json|[/+.-](?:json-?seq|ndjson|jsonl|jsonlines|json-lines)$/;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=|[A-Za-z\d+/]{4})$/;

/** Images and sounds are PNG and WAVE, unless the document shows one. */
function writeBody(declared: string, value: Json | undefined): { type: string; body: Buffer } {
  const media = mediaOf(declared);
  const bytes = typeof value === 'string' && BASE64.test(value) ? Buffer.from(value, 'base64') : undefined;
  if (media !== undefined && (bytes === undefined || declared.includes('*')))
    return { type: media.mimeType, body: Buffer.from(media.blob, 'base64') };
  const isText = declared.startsWith('text/') || (declared.includes('*') && typeof value === 'string');
  const untyped = value === undefined ? 'application/octet-stream' : 'application/json';
  const type = declared.includes('*') ? (isText ? 'text/plain' : untyped) : declared;
  if (SEQUENCE.test(essence(type)) && typeof value !== 'string') {
    const [start, end] = type.startsWith('text/')
      ? ['data: ', '\n\n']
      : [/seq/.test(type) ? '\u001E' : '', '\n'];
    const items = [value ?? []]
      .flat()
      .map((item) => (isRecord(item) && 'data' in item ? item['data'] : item));
    return { type, body: Buffer.from(items.map((item) => start + writeJson(item) + end).join('')) };
  }
  if (isJsonType(type)) return { type, body: Buffer.from(writeJson(value ?? {})) };
  if (/xml/.test(type) && isRecord(value)) return { type, body: Buffer.from(writeXml(WORD, value)) };
  return { type, body: isText || bytes === undefined ? Buffer.from(print(value ?? WORD)) : bytes };
}

function writeXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => writeXml(name, item)).join('');
  const members = isRecord(value) && Object.entries(value).map(([member, one]) => writeXml(member, one));
  const text = members ? members.join('') : print(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<${name}>${text}</${name}>`;
}

// Functions.

interface FunctionResult {
  as?: 'json' | 'content' | 'full' | 'text' | 'bytes' | 'nothing';
  mimeType?: string;
  wrapped?: boolean;
  /** Of a resource that is JSON. */
  sample?: Json;
}

/** Their arguments are checked as for a call; no module is loaded. Without `--mock`, the work is that of the feature for functions. */
function mockFunctions(find: (server: Server) => BindingWork): BindingWork {
  const resultOf = (binding: Binding): FunctionResult => (binding['result'] ?? {}) as FunctionResult;
  return {
    tool: async (call, binding, args) => {
      const { server } = call.request;
      if (!isOn(server)) return find(server).tool(call, binding, args);
      return mockTool(resultOf(binding), server.catalog.tools.get(call.name)?.outputSchema);
    },
    resource: async (call, binding, args, uri) => {
      const { server } = call.request;
      if (!isOn(server)) return find(server).resource?.(call, binding, args, uri);
      const { as, mimeType = 'text/plain', sample = INSTEAD } = resultOf(binding);
      const media = mediaOf(mimeType);
      if (media !== undefined) return { result: { contents: [{ uri, ...media }] } };
      if (as === 'json')
        return { result: { contents: [{ uri, mimeType: 'application/json', text: writeJson(sample) }] } };
      const text = /[/+]json\b/.test(mimeType) ? writeJson(INSTEAD) : INSTEAD;
      return { result: { contents: [{ uri, mimeType, text }] } };
    },
    prompt: async (call, binding, args) => {
      const { server } = call.request;
      return isOn(server) ? INSTEAD : find(server).prompt?.(call, binding, args);
    },
    completion: async (call, binding, typed, others) => {
      const { server } = call.request;
      return isOn(server) ? [] : ((await find(server).completion?.(call, binding, typed, others)) ?? []);
    },
  };
}

function findOther(feature: Feature, { features }: Server): BindingWork {
  const other = features.find((one) => one !== feature && one.work?.['function'] !== undefined);
  if (other?.work?.['function'] === undefined) throw new Error('src/server.ts lists no functions().');
  return other.work['function'];
}

function mediaOf(mimeType = ''): { mimeType: string; blob: string } | undefined {
  if (/^image\//i.test(mimeType)) return { mimeType: 'image/png', blob: MEDIA.image };
  return /^audio\//i.test(mimeType) ? { mimeType: 'audio/wav', blob: MEDIA.audio } : undefined;
}

function mockTool(
  { as, mimeType, wrapped = false }: FunctionResult,
  schema: SchemaObject | undefined,
): Outcome {
  if (as === 'nothing') return { result: { content: [{ type: 'text', text: 'Done.' }] } };
  const media = as === 'bytes' ? mediaOf(mimeType) : undefined;
  if (media !== undefined) {
    const type = media.blob === MEDIA.image ? 'image' : 'audio';
    return { result: { content: [{ type, data: media.blob, mimeType: media.mimeType }] } };
  }
  if (schema === undefined) return { result: { content: [{ type: 'text', text: INSTEAD }] } };
  const structuredContent = makeSample(schema, { full: true });
  if (structuredContent === undefined)
    return {
      result: errorResult('No value was found that fits the output schema, so --mock has no answer.'),
      cause: 'handler',
    };
  const shown = wrapped && isRecord(structuredContent) ? structuredContent['result'] : structuredContent;
  const text = as === 'full' ? INSTEAD : print(shown);
  return { result: { content: [{ type: 'text', text }], structuredContent } };
}
