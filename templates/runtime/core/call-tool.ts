// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tools/call`. A refusal by the protocol throws; a failure of the tool is a result with `isError`. */
import { type Binding, withoutReadOnly } from '../contract/bindings.ts';
import type { Json, JsonObject, ListedTool } from '../contract/json-schema.ts';
import { type Limits, suggest, withoutFeature } from '../contract/feature.ts';
import { isRecord, member, writeJson } from '../contract/json-value.ts';
import type { Handlers, ToolHandler } from '../definition.ts';
import type { BoundFunctions } from '../feature-loaders.ts';
import { type ContentBlock, type LooseResult, failure, knownContent, toResult } from './handler-result.ts';
import {
  ProtocolError,
  InvalidArgumentsError,
  invalidParams,
  describeUnfitArguments,
} from '../protocol/json-rpc.ts';
import { type RevisionFeatures, without } from '../protocol/revisions.ts';
import {
  type SchemaError,
  type Validator,
  compileSchema,
  repairArguments,
} from '../schema/compile-schema.ts';
import { type Call, type Method, describeThrown } from './call.ts';
import { CallContext } from './call-context.ts';
import type { ServerInstance, ToolEntry, BoundUpstream } from './server-instance.ts';

export const callTool: Method = async (call: Call) => {
  const { server, params, agreement } = call;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object.');
  const tool = findTool(server, name);
  // Most calls never become a task, so its module loads late.
  const mayBeTask = tool.listed.execution !== undefined || params['task'] !== undefined;
  const tasks = mayBeTask ? await server.features.tasks?.() : undefined;
  const isTask = tasks?.becomesTask(call, tool.listed) === true;
  const first = checkArguments(tool, args);
  const checked = 'reason' in first ? await repairCall(server, tool, args) : first;
  // A client of 2025-11-25 that asked for a task accepts no other answer.
  if ('reason' in checked && !(isTask && agreement.features.tasks === 'core'))
    return refuseArguments(call, checked.reason);
  const isPrepared = 'args' in checked && (tool.prepare !== undefined || server.functions !== undefined);
  const prepared = isPrepared ? await prepareArguments(call, tool, checked.args) : checked;
  return isTask
    ? tasks.startTask(call, async (inner) => answerCall(inner, tool, prepared))
    : answerCall(call, tool, prepared);
};

function refuseArguments({ agreement, context }: Call, why: string): object {
  const reason = context.caller?.withoutToken?.(why) ?? why;
  if (agreement.features.invalidArguments === 'protocol-error') throw invalidParams(reason);
  return failure(reason);
}

async function answerCall(call: Call, tool: ToolEntry, checked: CheckedArguments): Promise<object> {
  if ('reason' in checked) return failure(checked.reason);
  const { server, agreement } = call;
  const result = await runTool(call, tool, checked.args);
  const isOwn = tool.handler !== undefined;
  const onMismatch = isOwn ? (fault: string): void => reportOnce(server, tool, fault) : undefined;
  return fitResult(result, tool, agreement.features, server.limits, onMismatch);
}

/** Once for each tool, since authors of handlers don't see clients' results. */
function reportOnce({ report }: ServerInstance, tool: ToolEntry, fault: string): void {
  if (tool.isReported === true) return;
  tool.isReported = true;
  report(
    `The code of ${tool.listed.name} does not answer what its output schema promises, so clients get ` +
      `a part or an error. ${fault}. Return an object that matches, or { content, isError: true }.`,
  );
}

type CheckedArguments = { args: Record<string, unknown> } | { reason: string };

export function checkArguments(tool: ToolEntry, args: Record<string, unknown>): CheckedArguments {
  const validate = (tool.validateInput ??= compileSchema(tool.listed.inputSchema));
  const errors = validate(args);
  if (errors.length === 0) return { args };
  const misfits = errors.map(({ message }) => message);
  return { reason: describeUnfitArguments(tool.listed.name, misfits) };
}

/**
 * Invalid arguments are tried once more: without members that only answers have, since models give objects back, and
 * after a repair, since they write JSON as strings.
 */
export async function repairCall(
  server: ServerInstance,
  tool: ToolEntry,
  given: Record<string, unknown>,
): Promise<CheckedArguments> {
  const { name, inputSchema } = tool.listed;
  const binding = member((await server.bindings()).tools, name)?.do;
  const readOnly = binding?.kind === 'http' ? binding.body?.readOnly : undefined;
  const args = withoutReadOnly(given, readOnly);
  const repaired = server.repairs === false ? args : repairArguments(inputSchema, args);
  if (!isRecord(repaired)) return checkArguments(tool, args);
  // A member may be in an object that was sent as text.
  return checkArguments(tool, withoutReadOnly(repaired, readOnly));
}

/** `prepare` may ask the client, which a task can't before it exists. */
async function prepareArguments(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
): Promise<CheckedArguments> {
  const prepare = (tool.prepare ??= await boundPreparer(call.server, tool.listed.name));
  if (prepare === undefined) return { args };
  try {
    return { args: await prepare(args, new CallContext(call)) };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    return { reason: describeThrown(thrown) };
  }
}

async function boundPreparer(server: ServerInstance, name: string): Promise<ToolEntry['prepare']> {
  const isOverridden = Object.hasOwn(server.handlers.tools ?? {}, name);
  if (server.functions === undefined || isOverridden) return undefined;
  const binding = member((await server.bindings()).tools, name)?.prepare;
  return binding && (await loadFunctions(server)).prepare(binding, name);
}

/**
 * Failures of the tool are results.
 *
 * @throws {ProtocolError} thrown by the tool, or if the revision has no result for its outcome
 */
export async function runTool(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
): Promise<LooseResult> {
  const { server, agreement } = call;
  const { name, outputSchema } = tool.listed;
  if (tool.handler === undefined) {
    const binding = (tool.binding ??= await findBinding(server, name));
    if (binding.kind === 'http') {
      const upstream = await (server.cache.upstream ??= openApis(server));
      return upstream.tool(call, { binding, args, tool: name });
    }
    // Later calls skip the binding.
    tool.handler = await (await loadFunctions(server)).tool(binding, name);
  }
  try {
    return toResult(await tool.handler(args, new CallContext(call)), outputSchema !== undefined);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    if (thrown instanceof InvalidArgumentsError && agreement.features.invalidArguments === 'protocol-error')
      throw invalidParams(thrown.message);
    return failure(describeThrown(thrown));
  }
}

/** @throws {ProtocolError} `-32602` with the nearest name */
export function findTool(server: ServerInstance, name: string): ToolEntry {
  const tools = server.cache.tools ?? readTools(server);
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  throw unknownName('tool', name, tools.keys());
}

export function unknownName(kind: string, name: string, known: Iterable<string>): ProtocolError {
  const meant = suggest(name, known);
  const hint = meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`;
  return invalidParams(`Unknown ${kind}: ${name}${hint}`);
}

export function readTools({ catalog, handlers, cache }: ServerInstance): ReadonlyMap<string, ToolEntry> {
  return (cache.tools ??= new Map(
    catalog.items('tools').map((listed) => [listed.name, makeToolEntry(listed, handlers)]),
  ));
}

export function makeToolEntry(
  listed: ListedTool,
  { tools = {}, extraTools = [] }: Handlers<object>,
): ToolEntry {
  const { name } = listed;
  // The compiler has checked the types of their arguments.
  const override = member(tools as Record<string, ToolHandler<Record<string, unknown>>>, name);
  const { handler, prepare, scopes } = extraTools.find((tool) => tool.name === name) ?? {};
  return { listed, handler: typeof override === 'function' ? override : handler, prepare, scopes };
}

export function outputValidator(tool: ToolEntry): Validator | undefined {
  const { outputSchema } = tool.listed;
  return outputSchema && (tool.validateOutput ??= compileSchema(outputSchema));
}

export async function loadFunctions(server: ServerInstance): Promise<BoundFunctions> {
  return (server.cache.functions ??= server.readMock === undefined ? openModules(server) : openMock(server));
}

async function openModules({ functions, bindings, report }: ServerInstance): Promise<BoundFunctions> {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  const [{ openFunctions }, { codecs }] = await Promise.all([functions.runtime(), bindings()]);
  return openFunctions(functions.modules, codecs, report);
}

async function openMock(server: ServerInstance): Promise<BoundFunctions> {
  const { mockFunctions } = server.features;
  if (mockFunctions === undefined) throw new Error(withoutFeature('mock'));
  return (await mockFunctions()).mockFunctions((tool) => readTools(server).get(tool)?.listed.outputSchema);
}

export async function openApis(server: ServerInstance): Promise<BoundUpstream> {
  const { api } = server.features;
  if (api === undefined) throw new Error('The server has no API, but a binding calls one.');
  return (await api()).openUpstream(server);
}

export async function findBinding(server: ServerInstance, name: string): Promise<Binding> {
  const binding = member((await server.bindings()).tools, name)?.do;
  if (binding === undefined) throw new Error(`No work is bound to the tool ${name}.`);
  return binding;
}

/**
 * Fits a result to the revision and the output schema, since clients refuse a mismatch ("Structured Content"). A
 * structure that doesn't match is pruned until it does; its text stays whole. Own code with nothing left gets an
 * error that keeps the text.
 *
 * @param onMismatch given for the project's own code; called with the fault
 */
export function fitResult(
  result: LooseResult,
  tool: ToolEntry,
  features: RevisionFeatures,
  { pruneRounds }: Pick<Limits, 'pruneRounds'>,
  onMismatch?: (fault: string) => void,
): object {
  const { structuredContent, isError } = result;
  const { toolResult: unknown = [] } = features.unknownMembers;
  // Clients that read text only would lose a structure that no content repeats ("Structured Content").
  const isBare = result.content.length === 0 && isRecord(structuredContent);
  const blocks: ContentBlock[] = isBare
    ? [{ type: 'text', text: writeJson(structuredContent) }]
    : result.content;
  const content = blocks.map((block) => knownContent(block, features));
  const fitted: FittedResult = { ...without(result, unknown), content };
  if (unknown.includes('structuredContent')) return fitted;
  const { value, fault } = fitStructure(structuredContent, tool, onMismatch !== undefined, pruneRounds);
  fitted.structuredContent = fault !== undefined && isError === true ? undefined : value;
  if (fault === undefined || isError === true) return fitted;
  onMismatch?.(fault);
  if (value !== undefined) return fitted;
  const words = `This is an error because the answer does not match the output schema of ${tool.listed.name}: ${fault}.`;
  return { ...fitted, content: [...content, { type: 'text', text: words }], isError: true };
}

interface FittedResult {
  content: object[];
  structuredContent?: Json | undefined;
}

function fitStructure(
  given: Json | undefined,
  tool: ToolEntry,
  isOwn: boolean,
  pruneRounds: number,
): { value?: JsonObject; fault?: string } {
  const validate = outputValidator(tool);
  if (validate === undefined) return isRecord(given) ? { value: given } : {};
  const isWrapped = Object.hasOwn(tool.listed.outputSchema?.properties ?? {}, 'result');
  const wrapped = given !== undefined && isWrapped ? { result: given } : undefined;
  const whole = isRecord(given) ? given : wrapped;
  if (whole === undefined && isOwn) return { fault: 'The answer is no object' };
  const [error] = validate(whole ?? {});
  if (whole !== undefined && error === undefined) return { value: whole };
  const fault = error?.message ?? 'The answer is no object';
  const value = prune(whole ?? {}, validate, pruneRounds);
  const isNothing = value === undefined || (isOwn && Object.keys(value).length === 0);
  return isNothing ? { fault } : { value, fault };
}

/**
 * A copy that `validate` accepts: each fault costs the nearest property around it. After `rounds` it is `{}`, or
 * undefined if `{}` is invalid too.
 */
export function prune(value: JsonObject, validate: Validator, rounds: number): JsonObject | undefined {
  const copy = structuredClone(value);
  for (let round = 0; round < rounds; round++) {
    const errors = validate(copy);
    if (errors.length === 0) return copy;
    // All faults at once: several are usual, and validation costs most.
    if (!errors.map((error) => removeFault(copy, error)).includes(true)) break;
  }
  return validate({}).length === 0 ? {} : undefined;
}

function removeFault(root: JsonObject, { instancePath, params }: SchemaError): boolean {
  const path = instancePath.split('/').slice(1).map(unescape);
  const extra = params?.['additionalProperty'] ?? params?.['unevaluatedProperty'] ?? params?.['propertyName'];
  if (typeof extra === 'string' && removeProperty(root, [...path, extra])) return true;
  for (let depth = path.length; depth > 0; depth--) {
    if (removeProperty(root, path.slice(0, depth))) return true;
  }
  return false;
}

/** False for an item: an array without it would be another answer. */
function removeProperty(root: JsonObject, path: readonly string[]): boolean {
  let parent: unknown = root;
  for (const token of path.slice(0, -1)) parent = childAt(parent, token);
  const name = path.at(-1);
  if (name === undefined || !isRecord(parent) || !Object.hasOwn(parent, name)) return false;
  return Reflect.deleteProperty(parent, name);
}

function childAt(parent: unknown, token: string): unknown {
  if (Array.isArray(parent)) return parent[Number(token)];
  return isRecord(parent) ? member(parent, token) : undefined;
}

/** RFC 6901, section 4. */
function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
