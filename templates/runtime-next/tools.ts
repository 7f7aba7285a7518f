// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tools/call`: arguments are checked, repaired once or refused; the work is done; its result fits the output schema. */
import { cutResult, isApiResult } from './answer.ts';
import { repair } from './coerce.ts';
import { makeContext } from './context.ts';
import type { Call, MethodCall } from './feature.ts';
import * as rpc from './json-rpc.ts';
import { isRecord, ownMember, RpcError, writeJson } from './json-rpc.ts';
import type { Server } from './server.ts';
import { type Args, type Content, type Json, type JsonObject, type Outcome, ToolError } from './types.ts';
import type { ResourceContents, SchemaObject, ToolInfo, ToolOverride, ToolResult } from './types.ts';
import { compileSchema, type Misfit, nearest, type Validator } from './validate.ts';

/** A listed tool and what it does. */
export interface Tool {
  info: ToolInfo;
  checkInput: Validator;
  checkOutput: Validator | undefined;
  run(call: Call, args: Args): Outcome | Promise<Outcome>;
  /** Faults of its results are reported once. */
  isReported?: boolean;
}

export async function callTool(method: MethodCall): Promise<object> {
  const { server, params, agreement, work } = method;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw rpc.invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw rpc.invalidParams('`arguments` must be an object.');
  const tool = findTool(server, name, method);
  if (tool === undefined) throw rpc.invalidParams(describeUnknown('tool', name, server.catalog.tools.keys()));
  const call: Call = { kind: 'tool', name, args, origin: 'client', request: method, work };
  const { result, cause, error } = await runTool(server, tool, call);
  if (error !== undefined) throw error;
  if (cause === 'arguments' && rpc.refusesArguments(agreement.revision))
    throw rpc.invalidParams(textOf(result));
  const cut = cutResult(result as ToolResult, server.settings.resultCharacters, tool);
  return rpc.fitToolResult(cut, agreement.revision);
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
  const { result, error } = await runTool(server, tool, call);
  if (error !== undefined) throw error;
  return result as ToolResult;
}

export function describeUnknown(kind: string, name: string, names: Iterable<string>): string {
  const suggestion = nearest(name, names);
  return `Unknown ${kind}: ${name}${suggestion === undefined ? '' : `. Did you mean ${JSON.stringify(suggestion)}?`}`;
}

/** Compiled schemas stay with the listed tool: compiling them takes longer than a call. */
const tools = new WeakMap<ToolInfo, Tool>();

export function findTool(server: Server, name: string, method: MethodCall): Tool | undefined {
  const info = server.catalog.tools.get(name);
  if (info === undefined) {
    const listed = server.findBeside('tool', name, method);
    if (listed === undefined) return undefined;
    const item = listed.item as ToolInfo;
    return makeTool(item, async (call) => outcomeOf(await listed.run(call), item));
  }
  const tool = tools.get(info) ?? makeTool(info, workOfTool(server, info));
  tools.set(info, tool);
  return tool;
}

function makeTool(info: ToolInfo, run: Tool['run']): Tool {
  const { inputSchema, outputSchema } = info;
  const checkOutput = outputSchema && compileSchema(outputSchema);
  return { info, run, checkInput: compileSchema(inputSchema), checkOutput };
}

/** A handler of the person's, else what the tool's binding says. */
function workOfTool(server: Server, info: ToolInfo): Tool['run'] {
  const { name } = info;
  const { handlers } = server.catalog;
  const binding = ownMember(server.bindings.tools, name)?.do;
  const runBinding = async (call: Call, args: Args): Promise<Outcome> => {
    if (binding === undefined) {
      server.report(new Error(`No work is bound to the tool ${name}.`));
      throw new RpcError(rpc.INTERNAL_ERROR, 'Internal error.');
    }
    return server.workOf(binding.kind).tool(call, binding, args);
  };
  const override = ownMember(handlers.tools as Record<string, ToolOverride> | undefined, name);
  const handler = override ?? handlers.extraTools?.find((tool) => tool.name === name)?.handler;
  if (handler === undefined) return runBinding;
  return async (call, args) => {
    const next = async (changed: Args = args): Promise<ToolResult> => {
      const { result, error } = await runBinding(call, changed).catch((thrown: unknown) =>
        server.fail(call, thrown),
      );
      if (error !== undefined) throw error;
      return result as ToolResult;
    };
    return outcomeOf(await handler(args, makeContext(call), next), info);
  };
}

export async function runTool(server: Server, tool: Tool, call: Call): Promise<Outcome> {
  return server.around(call, async () => {
    const misfits = checkArguments(tool, call, server.settings.repairs);
    if (misfits.length > 0) return refusedArguments(tool.info.name, misfits);
    const outcome = await server.confirm(call, async () => tool.run(call, call.args));
    const { revision } = call.request.agreement;
    // Older clients get no structure, so it need not match.
    const isUnseen = call.origin === 'client' && !rpc.hasStructuredContent(revision);
    return fitOutcome(outcome, tool, isUnseen, server.report);
  });
}

/** Models write JSON as strings, and null for what they leave out: such arguments are repaired once. */
function checkArguments({ checkInput, info }: Tool, call: Call, repairs: boolean): Misfit[] {
  const misfits = checkInput(call.args);
  if (misfits.length === 0 || !repairs) return misfits;
  const repaired = repair(info.inputSchema, call.args);
  if (repaired === call.args || !isRecord(repaired)) return misfits;
  const remaining = checkInput(repaired);
  if (remaining.length === 0) call.args = repaired;
  return remaining;
}

export function refusedArguments(name: string, misfits: readonly Misfit[]): Outcome {
  const lines = misfits.map(({ message }) => `- ${message}`);
  const text = [`The arguments of ${name} do not match its input schema:`, ...lines].join('\n');
  return { result: errorResult(text), cause: 'arguments' };
}

export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

export function cancelledOutcome(): Outcome {
  return { result: errorResult('The call was cancelled.'), cause: 'cancelled' };
}

/** A refusal by the protocol reaches the client as such; anything else is a failed tool. */
export function failedOutcome(thrown: unknown): Outcome {
  const result = errorResult(describeThrown(thrown));
  return thrown instanceof RpcError
    ? { result, cause: 'refused', error: thrown }
    : { result, cause: 'handler' };
}

/** Code may throw anything. */
export function describeThrown(thrown: unknown): string {
  const unknown = 'The work failed without saying why.';
  try {
    return String(thrown instanceof Error ? thrown.message : (thrown ?? '')) || unknown;
  } catch {
    return unknown;
  }
}

/** The text of a result: what an error says. */
export function textOf(result: Outcome['result']): string {
  const { content = [] } = result as Partial<ToolResult>;
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
}

// What a handler returns.

/** Results, content and texts become content; any other value is JSON, and structured content if the tool has an output schema. */
function outcomeOf(returned: unknown, { outputSchema }: Pick<ToolInfo, 'outputSchema'>): Outcome {
  if (isToolResult(returned)) {
    // Only the runtime sets these members.
    const result = { ...returned, resultType: undefined, inputRequests: undefined, requestState: undefined };
    return { result, ...(result.isError === true && { cause: 'handler' }) };
  }
  const blocks: unknown[] = [returned].flat();
  if (blocks.length > 0 && blocks.every(isContent)) return { result: { content: blocks } };
  // Undefined if the handler returned nothing.
  const json = writeJson(returned) as string | undefined;
  const value = json === undefined ? '' : (rpc.parseJson(json) as Json);
  const text = typeof value === 'string' ? value : (json ?? '');
  const content: Content[] = text === '' ? [] : [{ type: 'text', text }];
  return { result: outputSchema === undefined ? { content } : { content, structuredContent: value } };
}

function isToolResult(value: unknown): value is ToolResult {
  if (!isRecord(value) || !Array.isArray(value['content']) || !value['content'].every(isContent))
    return false;
  return typeof (value['isError'] ?? false) === 'boolean' && isRecord(value['_meta'] ?? {});
}

/** Data that happens to have a `type` stays data. */
export function isContent(value: unknown): value is Content {
  if (!isRecord(value)) return false;
  const { type, text, data, mimeType, resource, uri, name } = value;
  if (type === 'text') return typeof text === 'string';
  if (type === 'image' || type === 'audio') return typeof data === 'string' && typeof mimeType === 'string';
  if (type === 'resource') return isContents(resource);
  return type === 'resource_link' && typeof uri === 'string' && typeof name === 'string';
}

export function isContents(value: unknown): value is ResourceContents {
  if (!isRecord(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

// The output schema.

/**
 * Clients refuse a structure that does not match the output schema ("Structured Content"). Members at fault move to
 * `_response.drifted`; the text stays whole. If nothing of an answer fits, the result is an error that keeps the text.
 */
function fitOutcome(outcome: Outcome, tool: Tool, isUnseen: boolean, report: Server['report']): Outcome {
  const result = outcome.result as ToolResult;
  const { structuredContent: structure, isError } = result;
  const { checkOutput, info } = tool;
  if (isError === true || (checkOutput === undefined && structure === undefined)) return outcome;
  const properties = info.outputSchema?.properties;
  const wraps = checkOutput === undefined || ownMember(properties, 'result') !== undefined;
  const value = isRecord(structure) || structure === undefined || !wraps ? structure : { result: structure };
  // Clients that read text only would lose a structure that no content repeats.
  const isRepeated = result.content.length > 0 || value === undefined;
  const content: Content[] = isRepeated ? result.content : [{ type: 'text', text: writeJson(value) }];
  const withStructure = (structuredContent: Json | undefined): Outcome => ({
    ...outcome,
    result: { ...result, content, structuredContent },
  });
  if (isUnseen) return withStructure(structure);
  const isOfApi = isApiResult(result);
  const object = isRecord(value) ? (value as JsonObject) : undefined;
  const [misfit] = checkOutput?.(object ?? {}) ?? [];
  // An API that answers nothing promised nothing.
  const isEmpty = isOfApi && value === undefined && content.length === 0;
  if (misfit === undefined && (object !== undefined || isEmpty)) return withStructure(object ?? {});
  const fault = object === undefined ? 'The answer is not an object' : (misfit?.message ?? '');
  const source = isOfApi ? 'The API' : 'The code';
  if (tool.isReported !== true)
    report(`${source} of ${info.name} does not answer what its output schema promises. ${fault}.`);
  tool.isReported = true;
  const fitted = moveMisfits(object, structure ?? textOf(result), checkOutput, info.outputSchema);
  if (fitted !== undefined && (isOfApi || Object.keys(fitted).length > 1)) return withStructure(fitted);
  const words = `This is an error because the answer does not match the output schema of ${info.name}: ${fault}.`;
  const failed: ToolResult = {
    ...result,
    isError: true,
    content: [...content, { type: 'text', text: words }],
  };
  return { ...outcome, result: { ...failed, structuredContent: undefined }, cause: 'handler' };
}

/** Moves the members at fault below `_response`. Undefined if the schema has no place for them. */
function moveMisfits(
  object: JsonObject | undefined,
  answer: Json,
  check: Validator = () => [],
  schema: SchemaObject = {},
): JsonObject | undefined {
  const rest = { ...object };
  const drifted: JsonObject = object === undefined ? { '': answer } : {};
  // A member that is absent can't move, and another fault may appear once one has gone.
  for (let misfits = check(rest), round = 0; misfits.length > 0; misfits = check(rest), round++) {
    const names = misfits.map(({ path }) => String(path[0])).filter((name) => Object.hasOwn(rest, name));
    if (names.length === 0 || round > 2) return undefined;
    for (const name of names) {
      drifted[`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`] = rest[name];
      Reflect.deleteProperty(rest, name);
    }
  }
  const name = responseMember(schema, rest);
  const joined = { ...rest, [name]: { ...(rest[name] as object | undefined), drifted } };
  // The text still has what a closed schema has no place for.
  return check(joined).length === 0 ? joined : Object.keys(rest).length > 0 ? rest : undefined;
}

/** The member of a structure for what an API said beside its answer: `_response`, or with a number if that is taken. */
export function responseMember(schema: SchemaObject | undefined, value: object = {}): string {
  const declared = Object.keys(schema?.properties ?? {}).findLast((name) =>
    /^_response(?:_\d+)?$/.test(name),
  );
  if (declared !== undefined) return declared;
  let name = '_response';
  for (let number = 2; Object.hasOwn(value, name); number++) name = `_response_${number}`;
  return name;
}
