// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `--mock`: answers from `src/generated/mock.json` and samples of schemas. No API and no function is called. */
import type { AnswerReader, PrepareAnswer } from '../../call-api.ts';
import type { BindingWork, Call, Feature } from '../../feature.ts';
import { isRecord, ownMember, parseJson, writeJson } from '../../json-rpc.ts';
import { chooseServer, essence, isJsonType, print } from '../../request.ts';
import { errorResult, responseMember } from '../../results.ts';
import type { ApiResponse } from '../../send.ts';
import type { Server } from '../../server.ts';
import { getSetting, parseChoice, readGenerated } from '../../settings.ts';
import type {
  ApiAnswer,
  ApiBinding,
  Binding,
  HttpBinding,
  Json,
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
      { variable: 'MCP_MOCK', help: '1: as with --mock.' },
    ],
    catalog: {
      select: (_, server) => {
        own = server;
        if (isOn(server)) removeCredentials(server);
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

/** Nothing is sent, so neither an address nor credentials are needed. */
function removeCredentials({ bindings, env, flags }: Server): void {
  const apis = [bindings.upstream ?? [], bindings.upstreams ?? []].flat();
  for (const api of apis) Object.assign(api, { securitySchemes: {}, headers: {} });
  const { value: baseUrl } = getSetting(flags, env, 'base-url', 'API_BASE_URL');
  const lists = [bindings.tools, bindings.resources, bindings.resourceTemplates];
  const operations = [...lists, ...Object.values(bindings.operations ?? {})].flatMap((items) =>
    Object.values(items as Record<string, { do: Binding }>),
  );
  for (const { do: binding } of operations) {
    const { servers, api: name } = binding as HttpBinding & Partial<Pick<ApiBinding, 'servers'>>;
    const api = apis.find((one) => one.name === name);
    if (api === undefined) continue;
    Object.assign(binding, { security: [], ifSet: [] });
    try {
      chooseServer({ api: { ...api, ...(servers && { servers }) }, env, baseUrl });
    } catch {
      Object.assign(binding, { servers: [{ url: NOWHERE }] });
    }
  }
}

// Answers of operations.

/** Stands for a schema that was left out when compiling: most named ones are objects. */
const LEFT_OUT: Schema = { type: 'object', maxProperties: 0 };

interface Mocked {
  data: MockData;
  answer: MockAnswer;
  /** Makes a value of one of the schemas. */
  sample: (schema: Schema | undefined) => Json | undefined;
}

async function answerOperation(all: MockData, operation: HttpBinding, call: Call): Promise<ApiResponse> {
  const { method, path, api } = operation;
  const data = ownMember(all.apis, String(api)) ?? all;
  const answer = ownMember(data.answers, `${method} ${path}`) ?? { status: 204 };
  const { status, mediaType, headers: schemas = {} } = answer;
  const sample = (schema: Schema | undefined): Json | undefined =>
    schema === undefined ? undefined : makeSample(withDefs(schema, data.schemas), { full: true });
  const headers = Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const text = printHeader(sample(schema));
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const empty = { status, headers, body: Buffer.alloc(0), isCut: false };
  if (mediaType === undefined || method === 'HEAD') return empty;
  const value = chooseValue({ data, answer, sample }, mediaType, operation, call);
  const { type, body } = writeBody(mediaType, value);
  const head = { status, headers: { ...headers, 'content-type': type } };
  return { ...empty, ...head, body, ...(await readByParts(head, body, operation, call)) };
}

function listParts<T>({ features }: Server, kind: string): T[] {
  return features.flatMap(({ parts }) => Object.values(ownMember(parts, kind) ?? {}) as T[]);
}

/** A sequence is read as one of the API. */
async function readByParts(
  head: Pick<ApiResponse, 'status' | 'headers'>,
  body: Buffer,
  { method }: HttpBinding,
  call: Call,
): Promise<Partial<ApiResponse>> {
  const readers = listParts<AnswerReader>(call.request.server, 'answers');
  const request = { method, url: new URL(NOWHERE), headers: new Map<string, string>() };
  const use = { call, request, redact: String, responseBytes: Infinity };
  for (const read of readers) {
    const chunks = (async function* () {
      yield body;
    })();
    const answer = await read({ ...head, chunks, close: () => undefined }, use);
    if (answer !== undefined) return answer;
  }
  return {};
}

/** Style `simple`; undefined if no header can hold the value. */
function printHeader(value: Json | undefined): string | undefined {
  const parts = isRecord(value) ? Object.entries(value).flat() : [value].flat();
  const text = parts.map((part) => print(part)).join();
  return value === undefined || value === null || !/^[\t -~]+$/.test(text) ? undefined : text;
}

/** An example that the listed output schema accepts, else a sample. */
function chooseValue(
  { data, answer: { example: index, schema }, sample }: Mocked,
  mediaType: string,
  operation: HttpBinding,
  { kind, name, request }: Call,
): Json | undefined {
  const example = index === undefined ? undefined : data.examples[index];
  const isJson = isJsonType(mediaType) && !isSequence(mediaType);
  // Schemas don't describe the bytes of an image.
  if (!isJson) return example ?? (/image|audio/.test(mediaType) ? undefined : sample(schema));
  const listed = kind === 'tool' ? request.server.catalog.tools.get(name)?.outputSchema : undefined;
  const check = compileSchema(listed ?? true);
  const isWrapped = operation.result?.wrapped === true;
  const rules = listParts<PrepareAnswer>(request.server, 'rules').flatMap(
    (rule) => rule(operation, {}) ?? [],
  );
  const fits = (whole: Json): boolean => {
    const answer: ApiAnswer = {
      status: 200,
      headers: {},
      url: NOWHERE,
      body: { kind: 'json', value: whole },
    };
    const { body } = rules.reduce((changed, change) => change(changed), answer);
    const value = body.kind === 'json' ? body.value : whole;
    return check(isWrapped ? { result: value } : value).length === 0;
  };
  const fitting = example === undefined ? undefined : readExample(example).find(fits);
  if (fitting !== undefined) return fitting;
  const isKnown =
    schema !== undefined &&
    Object.values(withDefs(schema, data.schemas).$defs).every((one) => one !== LEFT_OUT);
  return (
    (isKnown ? sample(schema) : undefined) ?? sampleListed(listed, isWrapped) ?? sample(schema) ?? example
  );
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
  if (isWrapped) return value['result'] as Json;
  const beside = responseMember(schema);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== beside)) as Json;
}

/** With the named schemas that it reaches. */
function withDefs(
  schema: Schema,
  schemas: MockData['schemas'],
): SchemaObject & { $defs: Record<string, Schema> } {
  const $defs: Record<string, Schema> = {};
  const open = [schema];
  // The list grows while it is read.
  for (const one of open)
    for (const [, ref = ''] of JSON.stringify(one).matchAll(/"\$ref":"#\/\$defs\/([^"/]+)"/g)) {
      const name = decodeURIComponent(ref).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Object.hasOwn($defs, name)) continue;
      $defs[name] = ownMember(schemas, name) ?? LEFT_OUT;
      open.push($defs[name]);
    }
  return { ...(schema === false ? { not: {} } : schema === true ? {} : schema), $defs };
}

function isSequence(mediaType: string): boolean {
  return /^text\/event-stream|^application\/stream\+json|[/+.-](?:json-?seq|ndjson|jsonl|jsonlines|json-lines)$/.test(
    essence(mediaType),
  );
}

/** Images and sounds are PNG and WAVE, unless the document shows one. */
function writeBody(declared: string, value: Json | undefined): { type: string; body: Buffer } {
  const bytes =
    typeof value === 'string' &&
    /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$|^(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)$/.test(
      value,
    )
      ? Buffer.from(value, 'base64')
      : undefined;
  const [kind] = declared.toLowerCase().split('/');
  if (
    (kind === 'image' || kind === 'audio') &&
    !/svg/.test(declared) &&
    (bytes === undefined || declared.includes('*'))
  )
    return { type: kind === 'image' ? 'image/png' : 'audio/wav', body: Buffer.from(MEDIA[kind], 'base64') };
  const text = value === undefined ? WORD : print(value);
  let type = declared;
  if (declared.includes('*'))
    type =
      kind === 'text' || typeof value === 'string'
        ? 'text/plain'
        : value === undefined
          ? 'application/octet-stream'
          : 'application/json';
  if (isSequence(type))
    return { type, body: Buffer.from(typeof value === 'string' ? value : writeSequence(type, value)) };
  if (isJsonType(type)) return { type, body: Buffer.from(writeJson(value ?? {})) };
  if (/xml/.test(type) && value !== undefined && typeof value !== 'string')
    return { type, body: Buffer.from(writeXml(WORD, value)) };
  return { type, body: kind === 'text' || bytes === undefined ? Buffer.from(text) : bytes };
}

/** Events are objects: `{ event, id, data }`. */
function writeSequence(mediaType: string, value: Json | undefined): string {
  const items = [value ?? []].flat();
  if (!mediaType.startsWith('text/event-stream')) {
    const start = /json-?seq/.test(mediaType) ? '\u001E' : '';
    return items.map((item) => `${start}${writeJson(item)}\n`).join('');
  }
  return items
    .map((item) => {
      const event = isRecord(item) && 'data' in item ? item : { data: item };
      const lines = ['event', 'id', 'data'].flatMap((name) => {
        const member = ownMember(event as Record<string, Json>, name);
        return member === undefined
          ? []
          : print(member)
              .split('\n')
              .map((line) => `${name}: ${line}\n`);
      });
      return `${lines.join('')}\n`;
    })
    .join('');
}

function writeXml(name: string, value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((item) => writeXml(name, item)).join('');
  const inner = isRecord(value)
    ? Object.entries(value)
        .map(([member, one]) => writeXml(member, one as Json))
        .join('')
    : print(value).replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
  return `<${name}>${inner}</${name}>`;
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
      return mockTool(resultOf(binding), server.catalog.tools.get(call.name)?.outputSchema, call.name);
    },
    resource: async (call, binding, args, uri) => {
      const { server } = call.request;
      if (!isOn(server)) return find(server).resource(call, binding, args, uri);
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
  name: string,
): Outcome {
  if (as === 'nothing') return { result: { content: [] } };
  const media = mediaOf(mimeType);
  if (as === 'bytes' && media !== undefined) {
    const type = mimeType?.startsWith('image') === true ? 'image' : 'audio';
    return { result: { content: [{ type, data: media.blob, mimeType: media.mimeType }] } };
  }
  const uri = `result://${name}`;
  if (as === 'bytes' || as === 'text') {
    const contents = as === 'text' ? { text: INSTEAD } : { blob: Buffer.from(WORD).toString('base64') };
    return {
      result: {
        content: [{ type: 'resource', resource: { uri, ...(mimeType && { mimeType }), ...contents } }],
      },
    };
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
