// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tools/call`: arguments are checked, repaired once or refused; the work is done; its result fits the output schema. */
import { apiText, cutResult, isApiResult } from './answer.ts';
import { repair } from './coerce.ts';
import { makeContext } from './context.ts';
import type { Call, MethodCall } from './feature.ts';
import {
  fitToolResult,
  hasStructuredContent,
  INTERNAL_ERROR,
  invalidParams,
  isRecord,
  ownMember,
  parseJson,
  refusesArguments,
  RpcError,
  writeJson,
} from './json-rpc.ts';
import type { Server } from './server.ts';
import {
  type Args,
  type Content,
  type Json,
  type JsonObject,
  type Outcome,
  type ResourceContents,
  type SchemaObject,
  ToolError,
  type ToolInfo,
  type ToolOverride,
  type ToolResult,
} from './types.ts';
import { compileSchema, type Misfit, nearest, type Validator } from './validate.ts';

/** A listed tool and what it does. */
interface Tool {
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
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object.');
  const tool = requireTool(server, name, method);
  const call: Call = { kind: 'tool', name, args, origin: 'client', request: method, work };
  const { result, cause, error } = await runTool(server, tool, call);
  if (error !== undefined) throw error;
  const { content } = result as ToolResult;
  if (cause === 'arguments' && refusesArguments(agreement.revision)) throw invalidParams(textOf(content));
  return fitToolResult(cutResult(result as ToolResult, server.settings.resultCharacters), agreement.revision);
}

/** `context.call`: as a client would, but the result is whole. @throws {ToolError} for an unknown tool */
export async function callToolByCode(outer: Call, name: string, args: object = {}): Promise<ToolResult> {
  const { server } = outer.request;
  let depth = 0;
  for (let parent: Call | undefined = outer; parent !== undefined; parent = parent.parent) depth++;
  if (depth > MOST_DEPTH)
    throw new ToolError(`${name} was not called: ${MOST_DEPTH} calls are inside one another already.`);
  const tool = findTool(server, name, outer.request);
  if (tool === undefined) throw new ToolError(describeUnknown('tool', name, server.catalog.tools.keys()));
  // The tool gets the arguments as a client would send them: without `undefined`, dates as texts.
  const sent = parseJson(writeJson(args)) as Args;
  const { work } = outer;
  const call: Call = {
    kind: 'tool',
    name,
    args: sent,
    origin: 'code',
    parent: outer,
    request: outer.request,
    work,
  };
  const { result, error } = await runTool(server, tool, call);
  if (error !== undefined) throw error;
  return result as ToolResult;
}

const MOST_DEPTH = 8;

export function describeUnknown(kind: string, name: string, names: Iterable<string>): string {
  const suggestion = nearest(name, names);
  return `Unknown ${kind}: ${name}${suggestion === undefined ? '' : `. Did you mean ${JSON.stringify(suggestion)}?`}`;
}

function requireTool(server: Server, name: string, method: MethodCall): Tool {
  const tool = findTool(server, name, method);
  if (tool !== undefined) return tool;
  throw invalidParams(describeUnknown('tool', name, server.catalog.tools.keys()));
}

/** Compiled schemas stay with the listed tool. */
const tools = new WeakMap<ToolInfo, Tool>();

export function findTool(server: Server, name: string, method: MethodCall): Tool | undefined {
  const info = server.catalog.tools.get(name);
  if (info === undefined) {
    const listed = server.findBeside('tool', name, method);
    return (
      listed &&
      makeTool(listed.item as ToolInfo, async (call) =>
        toOutcome(await listed.run(call), listed.item as ToolInfo),
      )
    );
  }
  let tool = tools.get(info);
  if (tool === undefined) tools.set(info, (tool = makeTool(info, workOfTool(server, info))));
  return tool;
}

function makeTool(info: ToolInfo, run: Tool['run']): Tool {
  const { inputSchema, outputSchema } = info;
  return {
    info,
    run,
    checkInput: compileSchema(inputSchema),
    checkOutput: outputSchema && compileSchema(outputSchema),
  };
}

/** A handler of the person's, else what the tool's binding says. */
function workOfTool(server: Server, info: ToolInfo): Tool['run'] {
  const { name } = info;
  const { handlers } = server.catalog;
  const binding = ownMember(server.bindings.tools, name)?.do;
  const runBinding = async (call: Call, args: Args): Promise<Outcome> => {
    if (binding === undefined) {
      server.report(new Error(`No work is bound to the tool ${name}.`));
      throw new RpcError(INTERNAL_ERROR, 'Internal error.');
    }
    return server.workOf(binding.kind).tool(call, binding, args);
  };
  const override = ownMember(handlers.tools as Record<string, ToolOverride> | undefined, name);
  const extra = handlers.extraTools?.find((tool) => tool.name === name)?.handler;
  if (override === undefined && extra === undefined) return runBinding;
  return async (call, args) => {
    const next = async (changed: Args = args): Promise<ToolResult> => {
      const { result, error } = await runBinding(call, changed).catch(failedOutcome);
      if (error !== undefined) throw error;
      return result as ToolResult;
    };
    const handler = override ?? extra;
    return toOutcome(await handler?.(args, makeContext(call), next), info);
  };
}

export async function runTool(server: Server, tool: Tool, call: Call): Promise<Outcome> {
  return server.around(call, async () => {
    const misfits = checkArguments(tool, call, server.settings.repairs);
    if (misfits.length > 0) return refusedArguments(tool.info.name, misfits);
    const outcome = await server.confirm(call, async () => tool.run(call, call.args));
    const { revision } = call.request.agreement;
    // Older clients get no structure, so it need not match.
    const isUnseen = call.origin === 'client' && !hasStructuredContent(revision);
    return fitOutcome(outcome, tool, isUnseen, (words) => server.report(words));
  });
}

/** Models write JSON as strings, and null for what they leave out: such arguments are repaired once. */
function checkArguments({ checkInput, info }: Tool, call: Call, repairs: boolean): Misfit[] {
  const misfits = checkInput(call.args);
  if (misfits.length === 0 || !repairs) return misfits;
  const repaired = repair(info.inputSchema, call.args);
  if (repaired === call.args || !isRecord(repaired)) return misfits;
  const left = checkInput(repaired);
  if (left.length === 0) call.args = repaired;
  return left;
}

export function refusedArguments(name: string, misfits: readonly Misfit[]): Outcome {
  const lines = misfits.map(({ message }) => `- ${message}`);
  const words = [`The arguments of ${name} do not match its input schema:`, ...lines].join('\n');
  return { result: errorResult(words), cause: 'arguments' };
}

export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

export function cancelledOutcome(): Outcome {
  return { result: errorResult('The call was cancelled.'), cause: 'cancelled' };
}

/** A refusal by the protocol reaches the client as such; anything else is a failed tool. */
export function failedOutcome(thrown: unknown): Outcome {
  if (thrown instanceof RpcError)
    return { result: errorResult(thrown.message), cause: 'refused', error: thrown };
  return { result: errorResult(describeThrown(thrown)), cause: 'handler' };
}

/** Code may throw anything. */
export function describeThrown(thrown: unknown): string {
  try {
    const words = thrown instanceof Error ? thrown.message : (thrown ?? '');
    return String(words) || 'The work failed without saying why.';
  } catch {
    return 'The work failed without saying why.';
  }
}

function textOf(content: readonly Content[]): string {
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
}

// What a handler returns.

/** Results, content and texts become content; any other value is JSON, and structured content if the tool has an output schema. */
export function toOutcome(returned: unknown, { outputSchema }: Pick<ToolInfo, 'outputSchema'>): Outcome {
  if (isToolResult(returned)) {
    // Only the runtime sets these members.
    const result = Object.assign({}, returned) as ToolResult & Record<string, unknown>;
    for (const member of ['resultType', 'inputRequests', 'requestState'])
      Reflect.deleteProperty(result, member);
    return { result, ...(result.isError === true && { cause: 'handler' }) };
  }
  const blocks: unknown[] = [returned].flat();
  if (blocks.length > 0 && blocks.every(isContent)) return { result: { content: blocks } };
  // Undefined if the handler returned nothing.
  const json = writeJson(returned) as string | undefined;
  const value = json === undefined ? '' : (parseJson(json) as Json);
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
 * Clients refuse a structure that does not match the output schema ("Structured Content"). What does not match moves to
 * `_response.drifted`; the text stays whole. The person's own code with nothing left gets an error that keeps the text.
 */
function fitOutcome(
  outcome: Outcome,
  tool: Tool,
  isUnseen: boolean,
  report: (words: string) => void,
): Outcome {
  const result = outcome.result as ToolResult;
  const { content, structuredContent, isError } = result;
  const { checkOutput, info } = tool;
  if (isError === true || (checkOutput === undefined && structuredContent === undefined)) return outcome;
  const { outputSchema } = info;
  const isOfApi = isApiResult(result);
  const wraps = checkOutput === undefined || ownMember(outputSchema?.properties, 'result') !== undefined;
  const value = isRecord(structuredContent)
    ? (structuredContent as JsonObject)
    : structuredContent !== undefined && wraps
      ? { result: structuredContent }
      : undefined;
  // Clients that read text only would lose a structure that no content repeats.
  const text: Content[] =
    content.length === 0 && value !== undefined ? [{ type: 'text', text: writeJson(value) }] : content;
  const withStructure = (structure: JsonObject): Outcome => ({
    ...outcome,
    result: { ...result, content: text, structuredContent: structure },
  });
  if (isUnseen) return { ...outcome, result: { ...result, content: text } };
  const answered = structuredContent ?? apiText(result);
  const [misfit] = checkOutput?.(value ?? {}) ?? [];
  if (misfit === undefined && (value !== undefined || (isOfApi && answered === undefined)))
    return withStructure(value ?? {});
  const fault = value === undefined ? 'The answer is no object' : (misfit?.message ?? '');
  if (tool.isReported !== true) {
    tool.isReported = true;
    report(
      isOfApi
        ? `The API does not answer what the output schema of ${info.name} promises, so clients get what differs under \`drifted\`, or an error. ${fault}.`
        : `The code of ${info.name} does not answer what its output schema promises, so clients get a part or an error. ${fault}. Return an object that matches, or { content, isError: true }.`,
    );
  }
  const fitted =
    (value && checkOutput && moveMisfits(value, checkOutput, outputSchema, isOfApi)) ??
    (isOfApi && answered !== undefined ? joinDrift({}, { '': answered }, outputSchema) : undefined);
  if (fitted !== undefined && checkOutput?.(fitted).length === 0) return withStructure(fitted);
  const words = `This is an error because the answer does not match the output schema of ${info.name}: ${fault}.`;
  const failed: ToolResult = {
    ...result,
    structuredContent: undefined,
    content: [...text, { type: 'text', text: words }],
    isError: true,
  };
  return { ...outcome, result: failed, cause: 'handler' };
}

function joinDrift(value: JsonObject, drifted: JsonObject, schema: SchemaObject | undefined): JsonObject {
  const name = responseMember(schema, value);
  const response = isRecord(value[name]) ? (value[name] as JsonObject) : {};
  return { ...value, [name]: { ...response, drifted } };
}

/** Most rounds of moving; in the second half of them the outermost property around a fault goes. */
const ROUNDS = 20;

function moveMisfits(
  whole: JsonObject,
  check: Validator,
  schema: SchemaObject | undefined,
  mayBeEmpty: boolean,
): JsonObject | undefined {
  const value = structuredClone(whole);
  const drifted: JsonObject = {};
  for (let round = 0; round < ROUNDS; round++) {
    const misfits = check(value);
    if (misfits.length === 0) {
      const isEmpty = Object.keys(value).length === 0;
      if (isEmpty && !mayBeEmpty) return undefined;
      const joined = joinDrift(value, drifted, schema);
      // A closed schema may have no place for what moved; the text has it.
      return check(joined).length === 0 ? joined : isEmpty ? undefined : value;
    }
    const moved = misfits.map((misfit) => moveProperty(value, misfit.path, round * 2 >= ROUNDS, drifted));
    if (!moved.includes(true)) return undefined;
  }
  return undefined;
}

/** Moves the property nearest to the fault. An item stays: an array without it would be another answer. */
function moveProperty(
  root: JsonObject,
  path: readonly (string | number)[],
  isOutermost: boolean,
  drifted: JsonObject,
): boolean {
  const depths = isOutermost ? [1] : path.map((_, index) => path.length - index);
  for (const depth of depths) {
    const holder = path.slice(0, depth - 1).reduce<unknown>((value, key) => {
      if (Array.isArray(value)) return (value as unknown[])[Number(key)];
      return isRecord(value) ? ownMember(value, String(key)) : undefined;
    }, root);
    const name = String(path[depth - 1]);
    if (!isRecord(holder) || !Object.hasOwn(holder, name)) continue;
    const pointer = path
      .slice(0, depth)
      .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
    drifted[pointer.join('')] = holder[name] as Json;
    return Reflect.deleteProperty(holder, name);
  }
  return false;
}

/** The member of a structure for what an API said beside its answer: `_response`, or with a number if that is taken. */
export function responseMember(schema: SchemaObject | undefined, value: object = {}): string {
  const declared = Object.keys(schema?.properties ?? {}).flatMap(
    (name) => /^_response(?:_(\d+))?$/.exec(name)?.[0] ?? [],
  );
  const last = declared.at(-1) ?? '_response';
  if (declared.length > 0 || !Object.hasOwn(value, last)) return last;
  let number = 2;
  while (Object.hasOwn(value, `_response_${number}`)) number++;
  return `_response_${number}`;
}
