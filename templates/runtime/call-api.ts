// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tools and resources that call an API: one call → one request → content. */
import { answerOutcome, readAnswer } from './answer.ts';
import { Credentials, type CredentialSource, type FindCredentials, lacksCredentials } from './credentials.ts';
import { parseHeaders, readFixedHeaders, secretsOfHeader, secretsOfUrl } from './credentials.ts';
import type { BindingWork, Call, Feature } from './feature.ts';
import { RpcError } from './json-rpc.ts';
import { type ApiRequest, type ApiSetup, apiVariable, type BodyWriter, chooseServer } from './request.ts';
import { makeRequest, type ParameterWriter } from './request.ts';
import type { ApiResponse, FollowElsewhere, OpenAnswer, ReadOpenAnswer, SendError } from './send.ts';
import type { Server } from './server.ts';
import { getSetting, parseChoice, parseInteger, type Setting } from './settings.ts';
import { createRedactor, describeThrown, errorResult, type Redact } from './results.ts';
import type { ApiAnswer, ApiBinding, Args, Bindings, Env, HttpBinding } from './types.ts';
import { type Outcome, type OutgoingRequest, ToolError, UsageError } from './types.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'base-url', value: 'url', variable: 'API_BASE_URL', help: 'Base URL of the API.' },
  { variable: 'API_HEADERS', help: 'Headers of every request to the API, as lines "Name: value".' },
  { variable: 'API_TIMEOUT_MS', help: 'Milliseconds of a call, retries included.', default: '50000' },
  { variable: 'API_RESPONSE_BYTES', help: 'Bytes read of one answer of the API.', default: '10485760' },
  {
    variable: 'API_RESULT_CHARACTERS',
    help: 'Characters of an API answer that a client gets.',
    default: '60000',
  },
];

// What features bring, by any name.

/** The part `setups`: changes what the requests of one operation are made with. */
export type ChangeSetup = (setup: ApiSetup, binding: HttpBinding, call?: Call) => ApiSetup;
/** The part `arguments`: adds arguments to those of the client, and says which of their values are secret. */
export type FillArguments = (args: Args, binding: HttpBinding, env: Env) => { args: Args; secrets: string[] };
/** The part `answers`. */
export type AnswerReader = (
  answer: OpenAnswer,
  use: { call: Call; request: ApiRequest; redact: Redact; responseBytes: number },
) => ReturnType<ReadOpenAnswer>;
/** The part `rules`: what a tool returns of an answer. Called before anything is sent. */
export type PrepareAnswer = (
  binding: HttpBinding,
  args: Args,
) => ((answer: ApiAnswer) => ApiAnswer) | undefined;

export function api(): Feature {
  const work: BindingWork = {
    tool: (call, binding, args) => callOperation(call, binding as HttpBinding, args).catch(failApi),
    answer: (call, binding, args) => callApi(call, binding as HttpBinding, args).catch(failApi),
  };
  return {
    name: 'api',
    settings: SETTINGS,
    start: (server) => void openClient(server),
    work: { http: work },
    startLine: (server) => {
      const sources = server.parts<CredentialSource>('credentials');
      const origins = listApis(server.bindings).map((upstream) => {
        const lack = lacksCredentials(upstream, server.env, sources) ? ' (no credentials are set)' : '';
        try {
          return chooseServer({ api: upstream, ...readOptions(server) }).origin + lack;
        } catch {
          return `no address, set ${apiVariable(upstream, 'API_BASE_URL')}`;
        }
      });
      return `API: ${origins.join(', ')}`;
    },
  };
}

async function callOperation(call: Call, binding: HttpBinding, args: Args): Promise<Outcome> {
  const { server } = call.request;
  const changes = openClient(server).rules.flatMap((prepare) => prepare(binding, args) ?? []);
  const answer = await callApi(call, binding, args);
  const { outputSchema } = server.catalog.tools.get(call.name) ?? {};
  return answerOutcome(
    changes.reduce((changed, change) => change(changed), answer),
    binding,
    outputSchema,
  );
}

function failApi(thrown: unknown): Outcome {
  if (!(thrown instanceof ToolError)) throw thrown;
  const { outcome = 'api' } = thrown as Partial<SendError>;
  return { result: errorResult(describeThrown(thrown)), cause: outcome };
}

// Settings.

export function listApis({ upstream, upstreams = [] }: Bindings): ApiBinding[] {
  return upstream === undefined ? [...upstreams] : [upstream];
}

export function readOptions({ flags, env, bindings }: Server): Pick<ApiSetup, 'env' | 'baseUrl'> {
  const { name, value } = getSetting(flags, env, 'base-url', 'API_BASE_URL');
  if (value !== undefined && bindings.upstreams !== undefined)
    throw new UsageError(
      `${name} would move every API. Set ${bindings.upstreams.map((one) => apiVariable(one, 'API_BASE_URL')).join(', ')}.`,
    );
  if (value !== undefined && !/^https?:/i.test(value))
    throw new UsageError(`${name} must be the base URL of the API, such as https://api.example.com/v1.`);
  return { env, baseUrl: value };
}

/** What the operator and features bring for the requests of a server. */
type ApiClient = ReturnType<typeof readClient>;
const clients = new WeakMap<Server, ApiClient>();

function openClient(server: Server): ApiClient {
  const client = clients.get(server) ?? readClient(server);
  clients.set(server, client);
  return client;
}

/** @throws {UsageError} for a setting that can't be used */
function readClient(server: Server) {
  const { env, definition, bindings } = server;
  const limit = (name: string, max: number): number | undefined =>
    parseInteger({ name, value: env[name] || undefined }, 1, max);
  const credentials = { name: 'API_CREDENTIALS', value: env['API_CREDENTIALS'] || undefined };
  parseChoice(credentials, ['required', 'optional']);
  for (const [name, value] of Object.entries(env))
    if (/^API_HEADERS(?:_|$)/.test(name)) parseHeaders(name, value);
  const common = {
    ...readOptions(server),
    userAgent: `${definition.info.name}/${definition.info.version}`,
    parameters: server.parts<ParameterWriter>('parameters'),
    bodies: server.parts<BodyWriter>('bodies'),
    credentials: server.parts<CredentialSource>('credentials'),
    // Typed by the feature that reads them.
    bytes: server.parts<never>('bytes'),
  };
  return {
    limits: {
      timeoutMs: limit('API_TIMEOUT_MS', 2_147_483_647) ?? 50_000,
      responseBytes: limit('API_RESPONSE_BYTES', 256 * 1024 * 1024) ?? 10 * 1024 * 1024,
    },
    setups: listApis(bindings).map((one): ApiSetup => ({ ...common, api: one })),
    operations: new WeakMap<HttpBinding, Operation>(),
    changes: Object.values(server.parts<ChangeSetup>('setups')),
    fillers: Object.values(server.parts<FillArguments>('arguments')),
    rules: Object.values(server.parts<PrepareAnswer>('rules')),
    readers: Object.values(server.parts<AnswerReader>('answers')),
    follow: Object.values(server.parts<FollowElsewhere>('redirects'))[0],
    findOfCaller: Object.values(server.parts<FindCredentials>('ofCaller'))[0],
  };
}

/** What the requests of an operation have in common. */
interface Operation {
  /** Without the operator's headers. */
  bare: ApiSetup;
  setup: ApiSetup;
  secrets: readonly string[];
  credentials: Credentials;
}

/** Made once, unless a feature changes the setup for this call. @throws {ToolError} if no request can be made */
function openOperation(
  call: Call,
  binding: HttpBinding,
  { setups, changes, operations }: ApiClient,
): Operation {
  const first = setups.find(({ api: { name } }) => name === binding.api);
  if (first === undefined) throw new ToolError(`The server has no API ${binding.api ?? ''}.`);
  const bare = changes.reduce((setup, change) => change(setup, binding, call), first);
  const prepared = bare === first ? operations.get(binding) : undefined;
  if (prepared !== undefined) return prepared;
  const fixed = readFixedHeaders(bare, binding);
  const baseUrl = chooseServer(bare);
  const headers = [...fixed.headers, ...(bare.headers ?? [])];
  const setup: ApiSetup = { ...bare, baseUrl: baseUrl.href, headers };
  const secrets = [...fixed.secrets, ...secretsOfUrl(baseUrl)];
  const operation = { bare, setup, secrets, credentials: new Credentials(setup, binding) };
  // A login may still bring what is missing.
  if (bare === first && operation.credentials.chosen !== undefined) operations.set(binding, operation);
  return operation;
}

// The call.

/** @throws {ToolError} if there is no answer */
export async function callApi(call: Call, binding: HttpBinding, input: Args): Promise<ApiAnswer> {
  const { server } = call.request;
  const { beforeRequest, afterResponse } = server.catalog.handlers;
  const client = openClient(server);
  const { bare, setup, credentials: ofServer, ...operation } = openOperation(call, binding, client);
  const secrets = [...operation.secrets];
  let args = input;
  for (const fill of client.fillers) {
    const filled = fill(args, binding, setup.env);
    args = filled.args;
    secrets.push(...filled.secrets);
  }
  const request = makeRequest(binding, args, setup);
  const url = request.url.href;
  let redact = createRedactor(secrets);
  const addCredentials = async (): Promise<Credentials> => {
    const credentials = (await client.findOfCaller?.(call, binding, bare)) ?? ofServer;
    secrets.push(...(await credentials.add(request, call)));
    redact = createRedactor(secrets);
    return credentials;
  };
  try {
    let credentials = await addCredentials();
    // A hook may bring the credentials itself.
    if (credentials.chosen === undefined && beforeRequest === undefined) throw credentials.missing();
    const outgoing = (beforeRequest ?? afterResponse) && toOutgoing(call, request);
    if (outgoing !== undefined) {
      const before = new Headers(outgoing.headers);
      await beforeRequest?.(outgoing);
      const { method, url: target, headers, body } = outgoing;
      for (const [name, value] of headers)
        if (value !== before.get(name)) secrets.push(...secretsOfHeader(name, value));
      redact = createRedactor(secrets);
      Object.assign(request, { method, url: target, headers: new Map(headers), body });
    }
    let response = await sendRequest(call, request, redact, client);
    // A token may be revoked before its end: another one is tried, once.
    if (response.status === 401 && credentials.renew(request, call)) {
      credentials = await addCredentials();
      response = await sendRequest(call, request, redact, client);
    }
    const use = { isWhole: call.origin === 'code', accept: binding.result?.accept };
    const answer = readAnswer(response, url, redact, use);
    if (answer.status === 401) answer.notes = [...(answer.notes ?? []), credentials.hint()];
    if (outgoing === undefined || afterResponse === undefined) return answer;
    // The text is made of the value, so that it does not show what the hook removes.
    if (answer.body.kind === 'json') delete answer.body.text;
    return (await afterResponse(answer, outgoing)) ?? answer;
  } catch (thrown) {
    if (thrown instanceof RpcError) throw thrown;
    const message = redact(describeThrown(thrown));
    if (thrown instanceof ToolError)
      throw Object.assign(new ToolError(message), { outcome: (thrown as Partial<SendError>).outcome });
    // A fault of a hook: its stack is for the log.
    throw Object.assign(new Error(message), thrown instanceof Error && { stack: redact(thrown.stack ?? '') });
  }
}

/** For the person's hooks. */
function toOutgoing({ kind, name }: Call, { method, url, headers, body }: ApiRequest): OutgoingRequest {
  const tool = kind === 'tool' && { tool: name as never };
  return { ...tool, method, url, headers: new Headers([...headers]), body };
}

async function sendRequest(
  call: Call,
  request: ApiRequest,
  redact: Redact,
  { limits, readers, follow }: ApiClient,
): Promise<ApiResponse> {
  const guests = call.request.server.features.flatMap(({ aroundSend }) => aroundSend ?? []);
  // `node:https` costs a third of a start, and lists need no API.
  const { send } = await import('./send.ts');
  const use = { call, request, redact, responseBytes: limits.responseBytes };
  return send(request, call.work, limits, {
    follow,
    read: (answer) => {
      for (const reader of readers) {
        const result = reader(answer, use);
        if (result !== undefined) return result;
      }
      return undefined;
    },
    attempt: (sent, next) =>
      guests.reduceRight(
        (inner, guest) => (one: ApiRequest) => guest(call, one, (changed = one) => inner(changed)),
        next,
      )(sent),
  });
}
