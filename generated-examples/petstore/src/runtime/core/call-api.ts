// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Calls APIs for tools and resources. Each API has one client, since it keeps tokens. */
import type { UpstreamFeatures } from '../upstream/upstream-settings.ts';
import {
  type LooseResult,
  type ResourceContents,
  type UpstreamAnswer,
  errorResult,
  outputValidator,
} from './handler-result.ts';
import type { ListedAnswer, Mock } from '../feature-loaders.ts';
import type { ServerInstance, BoundUpstream, BoundRequest, OperationPath } from './server-instance.ts';
import { type HttpBinding, findApi, sourceNameOfApi } from '../contract/bindings.ts';
import { defaultUpstreamLimits, missingFeatureText } from '../contract/feature.ts';
import type { CallOnce, Handlers, Context } from '../definition.ts';
import type { Json, JsonSchemaObject, ObjectSchema } from '../contract/json-schema.ts';
import {
  ApiError,
  INTERNAL_ERROR,
  ProtocolError,
  ToolError,
  describeUnfitArguments,
  isRequestId,
} from '../protocol/json-rpc.ts';
import { type Validator, compileSchema, findWholeInput } from '../schema/compile-schema.ts';
import { omitUndefined, isRecord, getOwnMember, readJson } from '../contract/json-value.ts';
import { type CallOptions, createUpstreamClient, type UpstreamClient } from '../upstream/upstream-client.ts';
import { toToolResult, toResourceContents } from '../upstream/tool-result.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { type Call, unknownNameError } from './call.ts';
import { findUserRefusal, getToolEntries, mustConfirm } from './call-tool.ts';
import { CallContext, performInnerCall, HookError, runHook } from './call-context.ts';
import { resourceNotFoundError } from './resources.ts';

export function bindUpstreamToServer(
  server: ServerInstance,
  clients: Apis['clients'] = new Map(),
): BoundUpstream {
  const apis = { server, clients };
  return {
    tool: callApiOfTool.bind(undefined, apis),
    readResource: readApiResource.bind(undefined, apis),
    callOperation: callOperation.bind(undefined, apis),
    countWaiting: () => [...clients.values()].reduce((sum, client) => sum + (client.waiting ?? 0), 0),
  };
}

interface Apis {
  server: ServerInstance;
  clients: Map<string | undefined, UpstreamClient>;
}

async function callApiOfTool(apis: Apis, call: Call, request: BoundRequest): Promise<LooseResult> {
  const { binding } = request;
  try {
    const { result: kept = {} } = binding;
    const isCut = (kept.select ?? kept.drop ?? kept.fields) !== undefined;
    const feature = isCut ? await apis.server.features.answerMembers?.() : undefined;
    if (isCut && feature === undefined) return errorResult(missingFeatureText('bodies'));
    const keep = feature?.createMemberSelection(kept, request.args);
    if (typeof keep === 'string') return errorResult(keep);
    const answer = await callApi(apis, call, request, { savesFiles: true, keep });
    const inputSchema = (): ObjectSchema | undefined =>
      getToolEntries(apis.server).findToolEntry(request.tool ?? '')?.listed.inputSchema;
    const result = toToolResult(answer, binding, { args: request.args, inputSchema });
    const { structuredContent: value } = result;
    // Output schemas are objects, so other values are wrapped.
    if ((binding.result?.wrapped === true || (answer.isList && Array.isArray(value))) && value !== undefined)
      return { ...result, structuredContent: { result: value } satisfies Json };
    return result;
  } catch (thrown) {
    if (thrown instanceof UpstreamError || thrown instanceof HookError) return errorResult(thrown.message);
    // `JSON.parse` accepts trees that are too deep for recursive functions.
    if (thrown instanceof RangeError)
      return errorResult("The API's answer is nested too deeply to be passed on. Ask for less of it.");
    throw thrown;
  }
}

async function readApiResource(
  apis: Apis,
  call: Call,
  uri: string,
  request: BoundRequest,
): Promise<ResourceContents[]> {
  try {
    const answer = await callApi(apis, call, request, {});
    if (answer.status === 404 || answer.status === 410) throw resourceNotFoundError(call, uri);
    return toResourceContents(answer, uri);
  } catch (thrown) {
    if (!(thrown instanceof UpstreamError || thrown instanceof HookError)) throw thrown;
    throw new ProtocolError(INTERNAL_ERROR, thrown.message, 'work', { uri });
  }
}

/** An outcome is JSON, since a client may keep it between two runs of a handler. `words`: why it failed. */
interface Outcome {
  words?: string;
  answer?: { status: number; headers: Readonly<Record<string, string>>; body: Body };
}

type Body = { json: unknown } | { base64: string } | { text: string } | undefined;

const validators = new WeakMap<JsonSchemaObject, Validator>();

function inputValidatorFor(schema: JsonSchemaObject): Validator {
  const validate = validators.get(schema) ?? compileSchema(schema);
  validators.set(schema, validate);
  return validate;
}

async function callOperation(
  apis: Apis,
  call: Call,
  path: OperationPath,
  args: object,
  options: CallOnce,
): Promise<unknown> {
  const { name, binding, input } = await findOperation(apis.server, path);
  const target = { method: 'tools/call', name, args };
  const { words, answer } = await performInnerCall(
    call,
    target,
    options,
    async (inner, given): Promise<Outcome> => {
      const misfits = input === undefined ? [] : inputValidatorFor(input)(given);
      const reasons = misfits.map(({ message }) => message);
      const fields = binding.result?.fields?.argument;
      if (fields !== undefined && getOwnMember(given, fields) !== undefined)
        reasons.push(`\`${fields}\` is for tools alone: code gets the whole answer`);
      if (reasons.length > 0) return { words: describeUnfitArguments(name, reasons) };
      const refusal = await findRefusalOfUser(call, inner, { name, binding }, given);
      if (refusal !== undefined) return { words: refusal };
      try {
        return toOperationOutcome(
          await callApi(apis, inner, { binding, args: given, tool: name }, { isWhole: true }),
          binding,
        );
      } catch (thrown) {
        if (thrown instanceof UpstreamError || thrown instanceof HookError) return { words: thrown.message };
        throw thrown;
      }
    },
  );
  if (answer === undefined) throw new ToolError(words ?? `${name} was not answered.`);
  const body = readBody(answer.body);
  if (words !== undefined) throw new ApiError(words, { ...answer, body });
  return body;
}

function toOperationOutcome(answer: UpstreamAnswer, binding: HttpBinding): Outcome {
  const { status, ok, headers, truncated, cut = '', body } = answer;
  // Code would take a part of the answer for the whole.
  if (truncated === true) return { words: `The answer is too long for the code of this server. ${cut}` };
  if (body.kind === 'text' && body.fault !== undefined) return { words: body.fault };
  const given = { status, headers, body: toOutcomeBody(body) };
  if (ok) return { answer: given };
  const words = toToolResult(answer, binding).content.map((block) =>
    block.type === 'text' ? block.text : '',
  );
  return { words: words.join('\n'), answer: given };
}

function toOutcomeBody(body: UpstreamAnswer['body']): Body {
  switch (body.kind) {
    case 'json':
      return { json: body.value };
    case 'text':
      return { text: body.text };
    case 'bytes':
      return { base64: Buffer.from(body.bytes).toString('base64') };
    default:
      return undefined;
  }
}

function readBody(body: Body): unknown {
  if (body === undefined) return undefined;
  if ('json' in body) return body.json;
  return 'text' in body ? body.text : new Uint8Array(Buffer.from(body.base64, 'base64'));
}

interface FoundOperation {
  name: string;
  binding: HttpBinding;
  input: JsonSchemaObject | undefined;
}

async function findOperation(
  server: ServerInstance,
  { source, operationId }: OperationPath,
): Promise<FoundOperation> {
  const bindings = await server.bindings();
  const { tools, operations = {} } = bindings;
  const ofSource = getOwnMember(operations, source) ?? {};
  const unlisted = getOwnMember(ofSource, operationId);
  if (unlisted !== undefined) {
    const name = `${source}.${operationId}`;
    return refuseWritesIfReadOnly(server, { name, binding: unlisted.do, input: unlisted.input });
  }
  const known = new Map<string, Omit<FoundOperation, 'input'>>();
  for (const [name, { do: binding }] of Object.entries(tools)) {
    // The only API of a server has no name, so any name in the user's code means it.
    if (binding.kind !== 'http' || sourceNameOfApi(binding.api ?? source) !== source) continue;
    known.set(binding.operationId ?? name, { name, binding });
  }
  const found = known.get(operationId);
  if (found !== undefined) {
    const listed = getToolEntries(server).findToolEntry(found.name)?.listed.inputSchema;
    return refuseWritesIfReadOnly(server, {
      ...found,
      input: listed && (findWholeInput(bindings, found.name) ?? listed),
    });
  }
  const words = unknownNameError('operation', operationId, [
    ...known.keys(),
    ...Object.keys(ofSource),
  ]).message;
  const advice =
    server.catalog.hidden === undefined
      ? 'If the document has it, run `mcpgen generate`, which compiles in the operations that code names.'
      : 'With --read-only, a server has no operation that may change data.';
  throw new ToolError(`${words} (context.api.${source}) ${advice}`);
}

/**
 * `--confirm destructive`: the user of a tool that calls its own operation has confirmed it already. Of operations that are no tools
 * only the method tells whether they read.
 */
async function findRefusalOfUser(
  outer: Call,
  inner: Call,
  { name, binding }: Pick<FoundOperation, 'name' | 'binding'>,
  args: Record<string, unknown>,
): Promise<string | undefined> {
  const { server } = inner;
  // A prompt may have the name of a tool, and nobody confirmed it: a call that a client sends has no depth.
  const isOwn = outer.depth !== undefined && outer.params['name'] === name;
  const { listed } = getToolEntries(server).findToolEntry(name) ?? {
    listed: { name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: hasReadMethod(binding) } },
  };
  if (isOwn || !mustConfirm(server, listed)) return undefined;
  return findUserRefusal(server, listed, args, new CallContext(inner));
}

function hasReadMethod({ method }: HttpBinding): boolean {
  return /^(?:GET|HEAD|OPTIONS|QUERY)$/i.test(method);
}

/** `--read-only`: of operations that are no tools only the method tells whether they read. @throws {ToolError} */
function refuseWritesIfReadOnly(server: ServerInstance, found: FoundOperation): FoundOperation {
  const { name, binding } = found;
  const { hidden } = server.catalog;
  const reads = getToolEntries(server).has(name) || (hasReadMethod(binding) && hidden?.has(name) === false);
  if (hidden === undefined || reads) return found;
  throw new ToolError(`${name} was not called: it may change data, and the server runs with --read-only.`);
}

async function callApi(
  { server, clients }: Apis,
  call: Call,
  { binding, args, tool }: BoundRequest,
  { savesFiles, isWhole, keep }: Pick<CallOptions, 'savesFiles' | 'isWhole' | 'keep'>,
): Promise<UpstreamAnswer> {
  const { inFlight, context } = call;
  const { _meta: meta } = call.params;
  const reportsProgress = isRecord(meta) && isRequestId(meta['progressToken']);
  const pings = reportsProgress ? new ProgressPings(server, new CallContext(call)) : undefined;
  try {
    const client = clients.get(binding.api) ?? (await getOrCreateClient({ server, clients }, binding));
    const { auth } = context.caller ?? {};
    const runtime = server.readMock === undefined ? server.auth?.runtime : undefined;
    const ofCaller = auth && (await (await runtime?.())?.makeCallerPart(server, auth, inFlight));
    return await client.call(binding, args, {
      savesFiles,
      isWhole,
      keep,
      waiter: inFlight,
      onItems: pings && ((count) => pings.reportItemCount(count)),
      headers: context.passedHeaders,
      tool,
      watch: inFlight.audited?.watchSending?.(binding.path),
      onBehalf: ofCaller?.onBehalf,
      isOwnToken: ofCaller?.isOwnToken,
    });
  } finally {
    pings?.stopReporting();
  }
}

async function getOrCreateClient({ server, clients }: Apis, binding: HttpBinding): Promise<UpstreamClient> {
  const created = await createClient(server, binding);
  // Another call may have created the API's client in the meantime.
  const client = clients.get(binding.api) ?? created;
  clients.set(binding.api, client);
  return client;
}

async function createClient(server: ServerInstance, binding: HttpBinding): Promise<UpstreamClient> {
  const bindings = await server.bindings();
  const { filesRoot, baseUrl, defaultBaseUrl, env, info, handlers, upstreamLimits } = server;
  const { beforeRequest, afterResponse } = wrapHooks(handlers);
  const api = findApi(bindings, binding);
  const settings = {
    env,
    limits: { ...defaultUpstreamLimits, ...upstreamLimits },
    userAgent: `${info.name}/${info.version}`,
    features: server.features as UpstreamFeatures,
    ...omitUndefined({ filesRoot, baseUrl, defaultBaseUrl, beforeRequest, afterResponse }),
  };
  if (server.readMock === undefined) return createUpstreamClient(api, settings);
  const { mockApi } = server.features;
  if (mockApi === undefined) throw new Error(missingFeatureText('mock'));
  const { apis = {}, ...mock } = readJson(server.readMock()) as Mock;
  const own = binding.api === undefined ? mock : (getOwnMember(apis, binding.api) ?? mock);
  return (await mockApi()).createMockClient(api, settings, own, (tool) => findListedOutput(server, tool));
}

function findListedOutput(server: ServerInstance, name: string): ListedAnswer | undefined {
  const tool = getToolEntries(server).findToolEntry(name);
  const validate = tool && outputValidator(tool);
  const schema = tool?.listed.outputSchema;
  return schema && validate && { schema, isValid: (value) => validate(value).length === 0 };
}

type Hooks = Pick<Handlers<object>, 'beforeRequest' | 'afterResponse'>;

function wrapHooks({ beforeRequest, afterResponse }: Hooks): Hooks {
  return omitUndefined<{ [Name in keyof Hooks]: Hooks[Name] | undefined }>({
    beforeRequest: beforeRequest && (async (request) => runHook(() => beforeRequest(request))),
    afterResponse:
      afterResponse && (async (answer, request) => runHook(() => afterResponse(answer, request))),
  });
}

/** Reports the seconds of a call every `progressIntervalMs` milliseconds, and with each item of a streamed answer. */
class ProgressPings {
  readonly #began = performance.now();
  readonly #context: Context;
  readonly #report: ServerInstance['report'];
  readonly #timer: NodeJS.Timeout;
  #items = 0;

  constructor({ limits, report }: Pick<ServerInstance, 'limits' | 'report'>, context: Context) {
    this.#context = context;
    this.#report = report;
    this.#timer = setInterval(
      () => this.#reportProgress(Math.round(this.#elapsedSeconds())),
      limits.progressIntervalMs,
    );
  }

  reportItemCount(count: number): void {
    this.#items = count;
    this.#reportProgress(this.#elapsedSeconds());
  }

  stopReporting(): void {
    clearInterval(this.#timer);
  }

  #elapsedSeconds(): number {
    return (performance.now() - this.#began) / 1_000;
  }

  /** Seconds always rise; the number of items is unknown. */
  #reportProgress(seconds: number): void {
    const items = this.#items;
    const words = items === 0 ? 'Waiting for the API.' : `${items} ${items === 1 ? 'item' : 'items'} so far.`;
    this.#context.progress(seconds, undefined, words).catch(this.#report);
  }
}
