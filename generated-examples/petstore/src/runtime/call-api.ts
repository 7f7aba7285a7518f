// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tools and resources that call an API: one call → one request → content. Also `context.api`. */
import { answerOutcome, describeError, isSuccess, readAnswer, toResource } from './answer.ts';
import { Credentials, type CredentialSource, createRedactor, type FindCredentials } from './credentials.ts';
import { parseHeaders, readFixedHeaders, type Redact, secretsOfUrl, variableOf } from './credentials.ts';
import type { BindingWork, Call, Feature } from './feature.ts';
import { isId, isRecord, ownMember, parseJson, RpcError, writeJson } from './json-rpc.ts';
import { type ApiRequest, type ApiSetup, type BodyWriter, chooseServer, makeRequest } from './request.ts';
import { apiVariable, CONNECTION_HEADERS, dropReadOnly, type ParameterWriter } from './request.ts';
import { type ReadBytes, setHeader } from './request.ts';
import type { ApiLimits, ApiResponse, OpenAnswer, ReadOpenAnswer, SendError } from './send.ts';
import type { Server } from './server.ts';
import { getSetting, LIMITS, parseChoice, parseInteger, type Setting } from './settings.ts';
import { describeThrown, errorResult, resultOf, textOf } from './results.ts';
import { makeContext, refusedArguments } from './tools.ts';
import { type ApiAnswer, type ApiBinding, ApiError, type Args, type Binding } from './types.ts';
import { type Bindings, type Env, type HttpBinding, type Outcome, type OutgoingRequest } from './types.ts';
import { type StepOptions, ToolError, type ToolResult, UsageError } from './types.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'base-url', value: 'url', variable: 'API_BASE_URL', help: 'Base URL of the API.' },
  {
    variable: 'API_HEADERS',
    help: 'Headers of every request to the API, as lines "Name: value" or a JSON object.',
  },
  {
    flag: 'pass-header',
    value: 'name',
    isRepeatable: true,
    variable: 'MCP_PASS_HEADERS',
    help: 'Headers of HTTP requests that go on to the API, such as X-Tenant.',
  },
  { variable: 'API_TIMEOUT_MS', help: 'Milliseconds of a call, retries included.', default: '50000' },
  { variable: 'API_RESPONSE_BYTES', help: 'Bytes read of one answer of the API.', default: '10485760' },
  { variable: 'API_RESULT_CHARACTERS', help: 'Characters of an answer for the client.', default: '60000' },
];

/** Sources by name, then operations by operationId. `src/generated/types.ts` declares them. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface DeclaredApis {}
export type Apis = keyof DeclaredApis extends never
  ? Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  : DeclaredApis;
export type ApiOperation = <Body = unknown>(args?: object, options?: StepOptions) => Promise<Body>;
declare module './types.ts' {
  interface Context {
    /** `context.api.<source>.<operationId>(args)` returns the body. @throws {ApiError} for another status than 2xx */
    readonly api: Apis;
  }
}

function valueOf({ body }: ApiAnswer): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : body.kind === 'bytes' ? body.bytes : undefined;
}

export function api(): Feature {
  const callers = new WeakMap<Server, ApiCaller>();
  const open = (server: Server): ApiCaller => {
    const caller = callers.get(server) ?? new ApiCaller(server);
    callers.set(server, caller);
    return caller;
  };
  const send = (call: Call, binding: Binding, args: Args): Promise<ApiAnswer> =>
    open(call.request.server).call(call, binding as HttpBinding, args);
  const work: BindingWork = {
    tool: async (call, binding, args) => {
      const { server } = call.request;
      const { outputSchema } = server.catalog.tools.get(call.name) ?? {};
      try {
        const change = open(server).prepareAnswer(binding as HttpBinding, args);
        const answer = change(await send(call, binding, args));
        return answerOutcome(answer, binding as HttpBinding, outputSchema);
      } catch (thrown) {
        return apiFailure(thrown);
      }
    },
    resource: (call, binding, args, uri) =>
      send(call, binding, args)
        .then((answer) => resourceOutcome(answer, uri))
        .catch(apiFailure),
  };
  return {
    name: 'api',
    settings: SETTINGS,
    variables: (bindings) => listApis(bindings).flatMap(listVariables),
    start: (server) => void open(server),
    work: { http: work },
    aroundCall: {
      // Before the check: the schema has no place for members that only answers have.
      admit: (call, next) => {
        const { body } = (ownMember(call.request.server.bindings.tools, call.name)?.do ??
          {}) as Partial<HttpBinding>;
        if (call.kind === 'tool' && body?.readOnly)
          call.args = dropReadOnly(call.args, body.readOnly) as Args;
        return next();
      },
    },
    context: (call) => ({
      get api() {
        const { server } = call.request;
        const caller = open(server);
        return members((source) =>
          members(
            (operation) =>
              (args?: object, options: StepOptions = {}) =>
                server.step(call, options, (step) => caller.callOperation(step, source, operation, args)),
          ),
        );
      },
    }),
    startLine: (server) => {
      const origins = listApis(server.bindings).map((upstream) => {
        try {
          return chooseServer({ api: upstream, ...readOptions(server) }).origin;
        } catch {
          return `no address, set ${apiVariable(upstream, 'API_BASE_URL')}`;
        }
      });
      return `API: ${origins.join(', ')}`;
    },
  };
}

export function listApis({ upstream, upstreams = [] }: Bindings): ApiBinding[] {
  return upstream === undefined ? [...upstreams] : [upstream];
}

function resourceOutcome(answer: ApiAnswer, uri: string): Outcome | undefined {
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (isSuccess(answer)) return { result: { contents: toResource(answer, uri) } };
  return { result: errorResult(describeError(answer)), cause: 'api' };
}

function listVariables(api: ApiBinding): Setting[] {
  const { name: apiName, servers, securitySchemes } = api;
  const rows = Object.entries(securitySchemes).flatMap(([scheme, { env = {} }]) =>
    Object.entries(env).map(([part, variable]) => ({ variable, help: `Credential ${scheme}: ${part}.` })),
  );
  if (rows.length > 0)
    rows.push({ variable: 'API_CREDENTIALS', help: 'optional: those that are not set are not sent.' });
  if (apiName !== undefined)
    for (const { variable = '', help } of SETTINGS.filter((row) =>
      /BASE_URL|HEADERS/.test(row.variable ?? ''),
    ))
      rows.push({ variable: apiVariable(api, variable), help: `${help} Of ${apiName}.` });
  const names = servers.map(({ name, url }) => name ?? url).join(', ');
  if (servers.length > 1)
    rows.push({ variable: apiVariable(api, 'API_SERVER'), help: `The server of the API: ${names}.` });
  for (const name of new Set(servers.flatMap(({ variables = {} }) => Object.keys(variables))))
    rows.push({
      variable: apiVariable(api, 'API_SERVER', name),
      help: `The part {${name}} of the API's URL.`,
    });
  return rows;
}

/** Any name is a member. A promise would be asked for `then`. */
function members(make: (name: string) => unknown): Apis {
  const get = (_: object, name: string | symbol): unknown =>
    typeof name === 'string' && name !== 'then' ? make(name) : undefined;
  return new Proxy({}, { get }) as Apis;
}

function readOptions({ flags, env, bindings }: Server): Pick<ApiSetup, 'env' | 'baseUrl'> {
  const { name, value } = getSetting(flags, env, 'base-url', 'API_BASE_URL');
  if (value !== undefined && bindings.upstreams !== undefined)
    throw new UsageError(
      `${name} would move every API. Set ${bindings.upstreams.map((one) => apiVariable(one, 'API_BASE_URL')).join(', ')}.`,
    );
  if (value !== undefined && !/^https?:/i.test(value))
    throw new UsageError(`${name} must be the base URL of the API, such as https://api.example.com/v1.`);
  return { env, baseUrl: value };
}

/** They belong to the connection, the message, or whoever calls this server. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|authorization|content-.*|cookie|dpop|forwarded|mcp-.*|origin|sec-.*|user-agent|via)$/;

/** Names of headers of the client, in lower case. @throws {UsageError} */
function readPassedHeaders({ flags, env }: Server): string[] {
  const { 'pass-header': ofFlag } = flags;
  const names = (ofFlag as string[] | undefined) ?? (env['MCP_PASS_HEADERS'] ?? '').split(',');
  return names.flatMap((text) => {
    const name = text.trim().toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]*$/.test(name) || CONNECTION_HEADERS.test(name) || OWN_HEADERS.test(name))
      throw new UsageError(
        `${ofFlag === undefined ? 'MCP_PASS_HEADERS' : '--pass-header'} can't be ${text}: only headers that are about the call itself go on.`,
      );
    return name === '' ? [] : name;
  });
}

/** Changes what the requests of one operation are made with. */
export type ChangeSetup = (setup: ApiSetup, binding: HttpBinding) => ApiSetup;
/** Adds arguments to those of the client, and says which of their values are secret. */
export type FillArguments = (args: Args, binding: HttpBinding, env: Env) => { args: Args; secrets: string[] };

/** The part `answers` of a feature, by any name. */
export type AnswerReader = (
  answer: OpenAnswer,
  use: { call: Call; request: ApiRequest; redact: Redact; responseBytes: number },
) => ReturnType<ReadOpenAnswer>;

/** The part `rules` of a feature: what a tool returns of an answer. Called before anything is sent. */
export type PrepareAnswer = (
  binding: HttpBinding,
  args: Args,
) => ((answer: ApiAnswer) => ApiAnswer) | undefined;

class ApiCaller {
  readonly #server: Server;
  readonly #limits: ApiLimits;
  /** By name; the only API has none. */
  readonly #setups: ReadonlyMap<string | undefined, ApiSetup>;
  readonly #changes: ChangeSetup[];
  readonly #fillers: FillArguments[];
  readonly #findOfCaller: FindCredentials | undefined;
  readonly #readers: readonly AnswerReader[];
  readonly #rules: readonly PrepareAnswer[];
  readonly #passedHeaders: readonly string[];

  constructor(server: Server) {
    const { env, definition, bindings } = server;
    const limit = (name: string, max: number): number | undefined =>
      parseInteger({ name, value: env[name] || undefined }, 1, max);
    parseChoice({ name: 'API_CREDENTIALS', value: env['API_CREDENTIALS'] || undefined }, [
      'required',
      'optional',
    ]);
    for (const [name, value] of Object.entries(env))
      if (/^API_HEADERS(?:_|$)/.test(name)) parseHeaders(name, value);
    this.#passedHeaders = readPassedHeaders(server);
    this.#server = server;
    this.#limits = {
      timeoutMs: limit('API_TIMEOUT_MS', 2_147_483_647) ?? 50_000,
      responseBytes: limit('API_RESPONSE_BYTES', 256 * 1024 * 1024) ?? 10 * 1024 * 1024,
    };
    const common = {
      ...readOptions(server),
      userAgent: `${definition.info.name}/${definition.info.version}`,
      parameters: server.parts<ParameterWriter>('parameters'),
      bodies: server.parts<BodyWriter>('bodies'),
      bytes: server.parts<ReadBytes>('bytes'),
      credentials: server.parts<CredentialSource>('credentials'),
    };
    const apis = listApis(bindings);
    if (apis.length === 0) apis.push({ servers: [], securitySchemes: {} });
    this.#setups = new Map(apis.map((one) => [one.name, { ...common, api: one }]));
    this.#changes = Object.values(server.parts<ChangeSetup>('setups'));
    this.#fillers = Object.values(server.parts<FillArguments>('arguments'));
    this.#rules = Object.values(server.parts<PrepareAnswer>('rules'));
    this.#readers = Object.values(server.parts<AnswerReader>('answers'));
    [this.#findOfCaller] = Object.values(server.parts<FindCredentials>('ofCaller'));
  }

  #setupOf(binding: HttpBinding): ApiSetup {
    const setup = this.#setups.get(binding.api);
    if (setup === undefined) throw new ToolError(`The server has no API ${binding.api ?? ''}.`);
    return this.#changes.reduce((changed, change) => change(changed, binding), setup);
  }

  prepareAnswer(binding: HttpBinding, args: Args): (answer: ApiAnswer) => ApiAnswer {
    const changes = this.#rules.flatMap((prepare) => prepare(binding, args) ?? []);
    return (answer) => changes.reduce((changed, change) => change(changed), answer);
  }

  /** Code gets the whole answer. @throws {ToolError} if the operation is unknown or may not be called */
  async callOperation(outer: Call, source: string, operation: string, input: object = {}): Promise<unknown> {
    const { bindings, catalog } = this.#server;
    const { operations, upstreams } = bindings;
    const toolless = ownMember(ownMember(operations, source), operation);
    const isSource = upstreams !== undefined || operations === undefined || Object.hasOwn(operations, source);
    const [name, tool] = Object.entries(bindings.tools).find(
      ([toolName, { do: work }]) =>
        work.kind === 'http' &&
        (work.operationId ?? toolName) === operation &&
        (typeof work['api'] !== 'string' || work['api'].toLowerCase() === source),
    ) ?? [operation, undefined];
    const binding = (isSource ? (toolless ?? tool)?.do : undefined) as HttpBinding | undefined;
    if (binding === undefined)
      throw new ToolError(
        `Unknown operation: ${operation} (context.api.${source}). Run \`mcpgen generate\`.`,
      );
    // A tool that is not listed may write by any method.
    const isReading =
      toolless === undefined ? catalog.tools.has(name) : /^(?:GET|HEAD|OPTIONS|QUERY)$/.test(binding.method);
    if (catalog.isReadOnly && !isReading)
      throw new ToolError(`${operation} was not called: it may change data, and the server is --read-only.`);
    const args = parseJson(writeJson(input)) as Args;
    const { request, work } = outer;
    const call: Call = { kind: 'tool', name, args, origin: 'code', parent: outer, request, work };
    const check = this.#server.compileSchema(toolless?.input ?? catalog.tools.get(name)?.inputSchema ?? true);
    let body: unknown;
    const outcome = await this.#server.around(call, async () => {
      const misfits = check(call.args);
      if (misfits.length > 0) return refusedArguments(name, misfits);
      return this.#server.confirm(call, async () => {
        const answer = await this.call(call, binding, call.args);
        body = valueOf(answer);
        if (isSuccess(answer)) return answerOutcome(answer, binding, undefined);
        const message = describeError(answer, binding);
        return {
          result: errorResult(message),
          cause: 'api',
          error: new ApiError(message, { ...answer, body: valueOf(answer) }),
        };
      });
    });
    const result = resultOf(outcome) as ToolResult;
    if (result.isError === true) throw new ToolError(textOf(result));
    return body;
  }

  async call(call: Call, binding: HttpBinding, given: Args): Promise<ApiAnswer> {
    const { beforeRequest, afterResponse } = this.#server.catalog.handlers;
    const setup = this.#setupOf(binding);
    const secrets: string[] = [];
    let args = given;
    for (const fill of this.#fillers) {
      const filled = fill(args, binding, setup.env);
      args = filled.args;
      secrets.push(...filled.secrets);
    }
    const request = makeRequest(binding, args, setup);
    const url = request.url.href;
    const fixedHeaders = readFixedHeaders(setup);
    const ofClient = this.#findPassedHeaders(call);
    const operatorHeaders = [...fixedHeaders.headers, ...ofClient];
    for (const [name, value] of operatorHeaders) setHeader(request.headers, name, value);
    // A key of the client wins over the server's.
    const keys = Object.values(setup.api.securitySchemes).flatMap((scheme): [string, string][] => {
      const key = scheme.in === 'header' ? ofClient.get(scheme.name?.toLowerCase() ?? '') : undefined;
      return key === undefined ? [] : [[variableOf(scheme), key]];
    });
    const choose = () =>
      this.#choose(call, binding, setup, {
        headers: new Set(operatorHeaders.map(([name]) => name.toLowerCase())),
        keys: Object.fromEntries(keys),
      });
    const { credentials, requirement, secured, found } = await choose();
    secrets.push(...(await credentials.add(request, requirement ?? {}, call)));
    secrets.push(...fixedHeaders.secrets, ...secretsOfUrl(chooseServer(setup)));
    let redact = createRedactor(secrets);
    const stopPings = reportSeconds(call);
    try {
      const outgoing: OutgoingRequest = {
        ...(call.kind === 'tool' && { tool: call.name as never }),
        method: request.method,
        url: request.url,
        headers: new Headers([...request.headers]),
        body: request.body,
      };
      const describe = (): string => writeJson([outgoing.method, outgoing.url, [...outgoing.headers]]);
      const before = describe();
      await beforeRequest?.(outgoing);
      // A hook may bring the credentials itself.
      if (requirement === undefined && describe() === before)
        throw found?.missing ?? credentials.missing(binding);
      const { method, url: target, headers, body } = outgoing;
      const sent = {
        method,
        url: target,
        headers: new Map(headers),
        body,
        agent: request.agent,
        operation: binding,
        template: binding.path,
      };
      let response = await this.#send(call, sent, redact);
      // A token may be revoked before its end: another one is tried, once.
      if (
        response.status === 401 &&
        (found?.renew() === true || credentials.renew(sent, requirement ?? {}, call))
      ) {
        const again = await choose();
        secrets.push(...(await again.credentials.add(sent, again.requirement ?? {}, call)));
        redact = createRedactor(secrets);
        response = await this.#send(call, sent, redact);
      }
      const answer = readAnswer(response, url, redact, {
        isWhole: call.origin === 'code',
        accept: binding.result?.accept,
      });
      const ownHint = credentials.hintAfter(answer.status, secured, requirement ?? {});
      const hint = ownHint && (found?.hint ?? ownHint);
      const notes = [answer.notes ?? [], hint ?? [], response.note ?? []].flat();
      if (notes.length > 0) answer.notes = notes;
      return (await afterResponse?.(answer, outgoing)) ?? answer;
    } catch (thrown) {
      if (thrown instanceof RpcError) throw thrown;
      const message = redact(describeThrown(thrown));
      if (thrown instanceof ToolError)
        throw Object.assign(new ToolError(message), { outcome: (thrown as Partial<SendError>).outcome });
      // A fault of a hook: its stack is for the log.
      const stack = thrown instanceof Error ? redact(thrown.stack ?? '') : '';
      throw Object.assign(new Error(message), stack === '' ? {} : { stack });
    } finally {
      stopPings();
    }
  }

  #findPassedHeaders({ request: { exchange } }: Call): Map<string, string> {
    const { headers = {} } = exchange.request ?? {};
    return new Map(
      this.#passedHeaders.flatMap((name) => {
        const value = ownMember(headers, name);
        return value === undefined ? [] : [[name, [value].flat().join(', ')]];
      }),
    );
  }

  async #choose(
    call: Call,
    binding: HttpBinding,
    setup: ApiSetup,
    { headers, keys }: { headers: ReadonlySet<string>; keys: Env },
  ) {
    const found = await this.#findOfCaller?.(call, binding, setup);
    const { env = setup.env, security } = found ?? {};
    // Headers of the operator must not stand for what the caller lacks.
    const standing = found === undefined ? headers : undefined;
    const credentials = new Credentials({ ...setup, env: { ...env, ...keys } }, standing);
    const secured = { ...binding, ...(security && { security }) };
    return { credentials, requirement: credentials.choose(secured), secured, found };
  }

  async #send(call: Call, request: ApiRequest, redact: Redact): Promise<ApiResponse> {
    // `node:https` costs a third of a start, and lists need no API.
    const { send } = await import('./send.ts');
    const { responseBytes } = this.#limits;
    const use = { call, request, redact, responseBytes };
    const readers = this.#readers.map(
      (read): ReadOpenAnswer =>
        (answer) =>
          read(answer, use),
    );
    const guests = this.#server.features.flatMap(({ aroundSend }) => aroundSend ?? []).toReversed();
    return send(request, call.work, this.#limits, readers, (attempt, sendOnce) => {
      let next = sendOnce;
      for (const guest of guests) {
        const inner = next;
        next = (sent) => guest(call, sent, (changed = sent) => inner(changed));
      }
      return next(attempt);
    });
  }
}

/** A client that asked for progress hears every few seconds that it is waited for. Returns the end of it. */
function reportSeconds(call: Call): () => void {
  const { _meta: meta } = call.request.params;
  if (!isRecord(meta) || !isId(meta['progressToken'])) return () => undefined;
  const start = Date.now();
  const context = makeContext(call);
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - start) / 1000);
    void context.progress(seconds, undefined, `Waiting for the API: ${seconds} s`);
  }, LIMITS.progressIntervalMs).unref();
  const stop = (): void => clearInterval(timer);
  // A round that is left never returns.
  const forget = call.work.onCancel(stop);
  return () => {
    forget();
    stop();
  };
}

function apiFailure(thrown: unknown): Outcome {
  if (!(thrown instanceof ToolError)) throw thrown;
  const { outcome = 'api' } = thrown as Partial<SendError>;
  return { result: errorResult(describeThrown(thrown)), cause: outcome };
}
