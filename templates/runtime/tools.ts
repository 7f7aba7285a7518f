// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tools/call`: arguments are checked, repaired once or refused; the work is done; its result fits the output schema. Also the context of handlers. */
import { cutResult, isApiResult } from './answer.ts';
import { repair } from './coerce.ts';
import type { Call, MethodCall } from './feature.ts';
import * as rpc from './json-rpc.ts';
import { isRecord, LOG_LEVELS, META, ownMember, writeJson } from './json-rpc.ts';
import { describeUnknown, errorResult, isContent, responseMember, resultOf, textOf } from './results.ts';
import type { Server } from './server.ts';
import type { Args, Content, Context, Json, JsonObject, LogLevel, Schema } from './types.ts';
import { type Outcome, type StepOptions, ToolError, type ToolInfo } from './types.ts';
import type { ToolOverride, ToolResult } from './types.ts';
import type { Misfit, Validator } from './validate.ts';

/** A listed tool and what it does. */
export interface Tool {
  info: ToolInfo;
  checkInput: Validator;
  /** What the work lets pass, since it checks the rest itself. */
  checkLeast?: Validator | undefined;
  checkOutput: Validator | undefined;
  run(call: Call, args: Args): Outcome | Promise<Outcome>;
  /** Faults of its results are reported once. */
  isReported?: boolean;
}

export async function callTool(method: MethodCall): Promise<object> {
  const { server, params, agreement, work } = method;
  const { name } = params;
  const args = params['arguments'] ?? {};
  if (typeof name !== 'string') throw rpc.invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw rpc.invalidParams('`arguments` must be an object.');
  const tool = findTool(server, name, method);
  if (tool === undefined) throw rpc.invalidParams(describeUnknown('tool', name, server.catalog.tools.keys()));
  const call: Call = { kind: 'tool', name, args, origin: 'client', request: method, work };
  const outcome = await runTool(server, tool, call);
  const result = resultOf(outcome) as ToolResult;
  if (outcome.cause === 'arguments' && rpc.refusesArguments(agreement.revision))
    throw rpc.invalidParams(textOf(result));
  return rpc.fitToolResult(cutResult(result, server.settings.resultCharacters, tool), agreement.revision);
}

/** Calls by code inside one another. */
const MAX_CALLS = 8;

/** `context.call`: as a client would, but the result is whole. @throws {ToolError} for an unknown tool */
export async function callToolByCode(outer: Call, name: string, args: object = {}): Promise<ToolResult> {
  const { request, work } = outer;
  const { server } = request;
  let depth = 0;
  for (let parent: Call | undefined = outer; parent !== undefined; parent = parent.parent) depth++;
  if (depth > MAX_CALLS)
    throw new ToolError(`${name} was not called: ${MAX_CALLS} calls are inside one another already.`);
  const tool = findTool(server, name, request);
  if (tool === undefined) throw new ToolError(describeUnknown('tool', name, server.catalog.tools.keys()));
  // The tool gets the arguments as a client would send them: without `undefined`, dates as texts.
  const sent = rpc.parseJson(writeJson(args)) as Args;
  const call: Call = { kind: 'tool', name, args: sent, origin: 'code', parent: outer, request, work };
  return resultOf(await runTool(server, tool, call)) as ToolResult;
}

/** An answer has more members than a message, and is not refused for its size. */
const ANSWER_WORK = 5_000_000;

/** Compiled schemas stay with the listed tool: compiling them takes longer than a call. */
const tools = new WeakMap<ToolInfo, Tool>();

export function findTool(server: Server, name: string, method: MethodCall): Tool | undefined {
  const info = server.catalog.tools.get(name);
  if (info === undefined) {
    const listed = server.findBeside('tool', name, method);
    const item = listed?.item as ToolInfo;
    return listed && makeTool(server, item, async (call) => outcomeOf(await listed.run(call), item));
  }
  let tool = tools.get(info);
  if (tool === undefined) {
    const binding = ownMember(server.bindings.tools, name)?.do;
    const least = binding && server.findWork(binding.kind)?.input?.(info.inputSchema, binding);
    tool = makeTool(server, info, workOfTool(server, info), least);
    tools.set(info, tool);
  }
  return tool;
}

function makeTool(server: Server, info: ToolInfo, run: Tool['run'], least?: Schema): Tool {
  const { inputSchema, outputSchema } = info;
  return {
    info,
    run,
    checkInput: server.compileSchema(inputSchema),
    checkLeast: least === undefined ? undefined : server.compileSchema(least),
    checkOutput: outputSchema && server.compileSchema(outputSchema, ANSWER_WORK),
  };
}

/** A handler of the person's, else what the tool's binding says. */
function workOfTool(server: Server, info: ToolInfo): Tool['run'] {
  const { name } = info;
  const { handlers } = server.catalog;
  const binding = ownMember(server.bindings.tools, name)?.do;
  const override = ownMember(handlers.tools as Record<string, ToolOverride> | undefined, name);
  const handler = override ?? handlers.extraTools?.find((tool) => tool.name === name)?.handler;
  const work = binding && server.findWork(binding.kind);
  const runWork = async (call: Call, args: Args): Promise<Outcome> => {
    if (binding !== undefined && work !== undefined) return work.tool(call, binding, args);
    server.report(new Error(`No work is bound to the tool ${name}.`));
    throw new rpc.RpcError(rpc.INTERNAL_ERROR, 'Internal error.');
  };
  if (handler === undefined) return runWork;
  return async (call, args) => {
    const next = (changed: Args = args, options: StepOptions = {}): Promise<ToolResult> =>
      server.step(call, options, async (step) => {
        const outcome = runWork(step, changed).catch((thrown: unknown) => server.fail(call, thrown));
        return resultOf(await outcome) as ToolResult;
      });
    return outcomeOf(await handler(args, makeContext(call), next), info);
  };
}

export function runTool(server: Server, tool: Tool, call: Call): Promise<Outcome> {
  return server.around(call, async () => {
    const misfits = checkArguments(tool, call, server.settings.repairs);
    if (misfits.length > 0) return refusedArguments(tool.info.name, misfits);
    const outcome = await server.around(call, () => tool.run(call, call.args), 'work');
    return fitOutcome(outcome, tool, call);
  });
}

/** Models write JSON as strings, and null for what they leave out: such arguments are repaired once. */
function checkArguments({ checkInput, checkLeast, info }: Tool, call: Call, repairs: boolean): Misfit[] {
  let misfits = checkInput(call.args);
  if (misfits.length === 0) return [];
  const repaired = repairs ? repair(info.inputSchema, call.args) : call.args;
  if (repaired !== call.args && isRecord(repaired)) {
    misfits = checkInput(repaired);
    if (misfits.length === 0) call.args = repaired;
  }
  return checkLeast?.(call.args).length === 0 ? [] : misfits;
}

export function refusedArguments(name: string, misfits: readonly Misfit[]): Outcome {
  const lines = misfits.map(({ message }) => `- ${message}`);
  const text = [`The arguments of ${name} do not match its input schema:`, ...lines].join('\n');
  return { result: errorResult(text), cause: 'arguments' };
}

// What a handler returns.

/** Only the runtime sets these members. Copying each result would take a sixth of a quick call. */
const OF_RUNTIME = { resultType: undefined, inputRequests: undefined, requestState: undefined };

/** Results, content and texts become content; any other value is JSON, and structured content if the tool has an output schema. */
export function outcomeOf(returned: unknown, { outputSchema }: Pick<ToolInfo, 'outputSchema'>): Outcome {
  if (isToolResult(returned)) {
    const isForged = Object.keys(OF_RUNTIME).some((name) => name in returned);
    const result = isForged ? { ...returned, ...OF_RUNTIME } : returned;
    return result.isError === true ? { result, cause: 'handler' } : { result };
  }
  const blocks: unknown[] = [returned].flat();
  if (blocks.length > 0 && blocks.every(isContent)) return { result: { content: blocks } };
  // Undefined if the handler returned nothing.
  const json = writeJson(returned) as string | undefined;
  const value = json === undefined ? undefined : (rpc.parseJson(json) as Json);
  const isNothing = json === undefined && outputSchema !== undefined;
  const text = typeof value === 'string' ? value : (json ?? 'Done.');
  const content: Content[] = isNothing ? [] : [{ type: 'text', text }];
  return { result: outputSchema === undefined ? { content } : { content, structuredContent: value } };
}

function isToolResult(value: unknown): value is ToolResult {
  if (!isRecord(value) || !Array.isArray(value['content']) || !value['content'].every(isContent))
    return false;
  return typeof (value['isError'] ?? false) === 'boolean' && isRecord(value['_meta'] ?? {});
}

// The output schema.

/**
 * Clients refuse a structure that does not match the output schema ("Structured Content"). Members at fault move to
 * `_response.drifted`; the text stays whole. If the rest does not fit either, the result is an error that keeps the text.
 */
function fitOutcome(outcome: Outcome, tool: Tool, { origin, request: { agreement, server } }: Call): Outcome {
  const result = outcome.result as ToolResult;
  const { structuredContent: structure, isError } = result;
  const { checkOutput, info } = tool;
  if (isError === true || (checkOutput === undefined && structure === undefined)) return outcome;
  const wraps = checkOutput === undefined || ownMember(info.outputSchema?.properties, 'result') !== undefined;
  const value = isRecord(structure) || structure === undefined || !wraps ? structure : { result: structure };
  // Clients that read text only would lose a structure that no content repeats.
  const isRepeated = result.content.length > 0 || value === undefined;
  const content: Content[] = isRepeated ? result.content : [{ type: 'text', text: writeJson(value) }];
  const withStructure = (structuredContent: Json | undefined): Outcome => ({
    ...outcome,
    result: { ...result, content, structuredContent },
  });
  // Older clients get no structure, so it need not match.
  if (origin === 'client' && !rpc.hasStructuredContent(agreement.revision)) return withStructure(structure);
  const object = isRecord(value) ? (value as JsonObject) : undefined;
  const misfits = checkOutput?.(object ?? {}) ?? [];
  // An API that answers nothing promised nothing.
  const isEmpty = value === undefined && content.length === 0 && isApiResult(result);
  if (misfits.length === 0 && (object !== undefined || isEmpty)) return withStructure(object ?? {});
  const fault = object === undefined ? 'The answer is not an object' : (misfits[0]?.message ?? '');
  if (tool.isReported !== true)
    server.report(`${info.name} does not answer what its output schema promises. ${fault}.`);
  tool.isReported = true;
  const names = new Set(misfits.map(({ path: [name] }) => String(name)));
  const members = Object.entries(object ?? {});
  const rest = Object.fromEntries(members.filter(([name]) => !names.has(name)));
  // Clients may show the structure alone.
  const text = textOf(result) || 'See the content of this result.';
  const whole = { '': structure === undefined ? text : structure };
  const drifted =
    object === undefined ? whole : Object.fromEntries(members.filter(([name]) => names.has(name)));
  const name = responseMember(info.outputSchema, rest);
  const fitted = { ...rest, [name]: { ...(ownMember(rest, name) as object | undefined), drifted } };
  const mayDrift = isApiResult(result) || Object.keys(rest).length > 0;
  if (mayDrift && checkOutput?.(fitted).length === 0) return withStructure(fitted);
  const reason = `This is an error because the answer does not match the output schema of ${info.name}: ${fault}.`;
  const withReason: Content[] = [...content, { type: 'text', text: reason }];
  const failed = { ...result, isError: true, content: withReason, structuredContent: undefined };
  return { ...outcome, result: failed, cause: 'handler' };
}

// What handlers can do with their client.

export function makeContext(call: Call): Context {
  const { request, work } = call;
  const { server, session, exchange, agreement } = request;
  const { _meta } = request.params;
  const meta = isRecord(_meta) ? (_meta as JsonObject) : undefined;
  const { clientInfo, clientCapabilities, revision } = agreement;
  const send = async (method: string, params: object): Promise<void> => {
    if (!work.isDone && work.reason === undefined) await exchange.send({ jsonrpc: '2.0', method, params });
  };
  // Features add the members that their modules declare.
  const context = {
    get signal() {
      return work.signal;
    },
    meta,
    client: { revision, capabilities: clientCapabilities, ...(clientInfo && { info: clientInfo }) },
    log: async (level: LogLevel, data: unknown, logger?: string) => {
      const least = agreement.era === 'modern' ? meta?.[`${META}logLevel`] : session.logLevel;
      if (!isLevel(least) || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least) || !work.maySend('log'))
        return;
      // `data` is required, and `JSON.stringify` would leave it out.
      const isLost = data === undefined || typeof data === 'function' || typeof data === 'symbol';
      await send('notifications/message', { level, logger, data: isLost ? null : data });
    },
    progress: async (done: number, total?: number, message?: string) => {
      // A call inside another would report under the same token, and progress must rise.
      const token = call.origin === 'client' ? meta?.['progressToken'] : undefined;
      if (!rpc.isId(token) || !Number.isFinite(done) || done <= work.reachedProgress) return;
      if ((agreement.era === 'legacy' && !session.isReady) || !work.maySend('progress')) return;
      work.reachedProgress = done;
      await send('notifications/progress', {
        progressToken: token,
        progress: done,
        total: Number.isFinite(total) ? total : undefined,
        message: rpc.hasProgressMessage(revision) ? message : undefined,
      });
    },
    call: (name: string, args?: object, options: StepOptions = {}) =>
      server.step(call, options, (step) => callToolByCode(step, name, args)),
  };
  for (const feature of server.features)
    if (feature.context !== undefined)
      Object.defineProperties(context, Object.getOwnPropertyDescriptors(feature.context(call)));
  return context as unknown as Context;
}

function isLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

export function setLogLevel({ session, params: { level } }: MethodCall): object {
  if (!isLevel(level)) throw rpc.invalidParams(`\`level\` must be one of ${LOG_LEVELS.join(', ')}.`);
  session.logLevel = level;
  return {};
}
