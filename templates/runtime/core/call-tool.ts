// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tools/call`. A refusal by the protocol throws; a failure of the tool is a result with `isError`. */
import type { Binding } from '../contract/bindings.ts';
import type { ListedTool } from '../contract/json-schema.ts';
import { missingFeatureText } from '../contract/feature.ts';
import { isRecord, getOwnMember } from '../contract/json-value.ts';
import type { CallOnce, Context, Handlers, ToolOverride } from '../definition.ts';
import { type LooseResult, type ToolResult, errorResult, fitResult, toResult } from './handler-result.ts';
import {
  ProtocolError,
  InvalidArgumentsError,
  ToolError,
  invalidParamsError,
  describeUnfitArguments,
} from '../protocol/json-rpc.ts';
import { MODERN_REVISIONS, featuresOf } from '../protocol/revisions.ts';
import { compileSchema, repairArguments, findWholeInput } from '../schema/compile-schema.ts';
import { type Call, type Method, describeThrown, unknownNameError } from './call.ts';
import { CallContext, performInnerCall } from './call-context.ts';
import type {
  BoundUpstream,
  FunctionsRuntime,
  ServerInstance,
  ToolEntries,
  ToolEntry,
} from './server-instance.ts';

/** Most calls wait for nothing before they run: these checks alone cost less than one `await`. */
export const callTool: Method = (call) => {
  const { server, params } = call;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParamsError('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParamsError('`arguments` must be an object.');
  const tool = requireTool(server, name);
  const mayBeTask = (tool.listed.execution ?? params['task']) !== undefined;
  const mayPrepare =
    tool.prepare !== undefined || (server.functions !== undefined && tool.isUnprepared !== true);
  const isBound = tool.validateInput !== undefined || !hasBoundInputSchemas(server);
  const checked = isBound && !mayBeTask && !mayPrepare ? checkArguments(tool, args) : undefined;
  if (checked !== undefined && 'args' in checked) return answerCall(call, tool, checked);
  return prepareAndRun(call, tool, args, mayBeTask, checked);
};

async function prepareAndRun(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
  mayBeTask: boolean,
  validation?: CheckedArguments,
) {
  const { server, agreement } = call;
  // Most calls never become a task, so its module loads late.
  const tasks = mayBeTask ? await server.features.tasks?.() : undefined;
  const isTask = tasks?.shouldRunAsTask(call, tool.listed) === true;
  if (tool.validateInput === undefined && hasBoundInputSchemas(server)) await loadInputSchema(server, tool);
  const first = validation ?? checkArguments(tool, args);
  const checked = 'reason' in first ? await repairCallArguments(server, tool, args, first) : first;
  // A client of 2025-11-25 that asked for a task accepts no other answer.
  if ('reason' in checked && !(isTask && agreement.features.tasks === 'core'))
    return refuseArguments(call, server.surface?.explainRefusal(tool, checked.reason) ?? checked.reason);
  const prepared = 'args' in checked ? await prepareArguments(call, tool, checked.args) : checked;
  return isTask
    ? tasks.startTask(call, async (inner) => answerCall(inner, tool, prepared))
    : answerCall(call, tool, prepared);
}

function refuseArguments(call: Call, reason: string): object {
  if (call.agreement.features.invalidArguments === 'protocol-error') throw invalidParamsError(reason);
  return unfitResult(call, reason);
}

function unfitResult({ context: { caller } }: Call, reason: string): object {
  return errorResult(caller?.withoutToken?.(reason) ?? reason);
}

async function answerCall(
  call: Call,
  tool: ToolEntry,
  checked: CheckedArguments,
  features = call.agreement.features,
): Promise<object> {
  if ('reason' in checked) return unfitResult(call, checked.reason);
  const { server } = call;
  const { args } = checked;
  const result = await (tool.handler === undefined
    ? (tool.work?.(call, args) ?? runBinding(call, tool, args))
    : runHandler(call, tool, args));
  return fitResult(result, tool, features, server.limits, (fault) => reportFaultOnce(server, tool, fault));
}

/** Reports each tool once, since neither authors of handlers nor operators see clients' results. */
function reportFaultOnce({ report }: ServerInstance, tool: ToolEntry, fault: string): void {
  if (tool.isReported === true) return;
  tool.isReported = true;
  const { name } = tool.listed;
  report(
    tool.handler === undefined
      ? `The API does not answer what the output schema of ${name} promises, so clients get what differs ` +
          `under \`drifted\`, or an error. ${fault}.`
      : `The code of ${name} does not answer what its output schema promises, so clients get ` +
          `a part or an error. ${fault}. Return an object that matches, or { content, isError: true }.`,
  );
}

/** Whether calls are checked by another schema than the listed one, which is cut. */
export function hasBoundInputSchemas({ catalog }: ServerInstance): boolean {
  return catalog.describes;
}

export async function loadInputSchema(server: ServerInstance, tool: ToolEntry): Promise<void> {
  const input = findWholeInput(await server.bindings(), tool.listed.name);
  if (input !== undefined) tool.input = input;
}

type CheckedArguments = { args: Record<string, unknown> } | { reason: string };

export function checkArguments(tool: ToolEntry, args: Record<string, unknown>): CheckedArguments {
  const validate = (tool.validateInput ??= compileSchema(tool.input ?? tool.listed.inputSchema));
  const errors = validate(args);
  if (errors.length === 0) return { args };
  const misfits = errors.map(({ message }) => message);
  return { reason: describeUnfitArguments(tool.listed.name, misfits) };
}

/**
 * Invalid arguments are tried once more: without members that only answers have, since models give objects back, and
 * after a repair, since they write JSON as strings.
 */
export async function repairCallArguments(
  server: ServerInstance,
  tool: ToolEntry,
  given: Record<string, unknown>,
  checked: CheckedArguments,
): Promise<CheckedArguments> {
  const { name, inputSchema } = tool.listed;
  const binding = getOwnMember((await server.bindings()).tools, name)?.do;
  const readOnly = binding?.kind === 'http' ? binding.body?.readOnly : undefined;
  const writers = readOnly === undefined ? undefined : await server.features.parameters?.();
  const dropReadOnly = <T>(value: T): T => writers?.dropReadOnly(value, readOnly) ?? value;
  const args = dropReadOnly(given);
  const input = tool.input ?? inputSchema;
  const repaired = server.repairs === false ? args : repairArguments(input, args);
  if (!isRecord(repaired)) return checkArguments(tool, args);
  // A member may be in an object that was sent as text.
  const whole = repaired === args ? args : dropReadOnly(repaired);
  return leaveToChecks(server, tool, whole, whole === given ? checked : checkArguments(tool, whole));
}

/** Accepts arguments that only the function's own checks refuse: the words of these must reach the caller. */
async function leaveToChecks(
  server: ServerInstance,
  tool: ToolEntry,
  args: Record<string, unknown>,
  checked: CheckedArguments,
): Promise<CheckedArguments> {
  if ('args' in checked) return checked;
  const { name, inputSchema } = tool.listed;
  const binding = getOwnMember((await server.bindings()).tools, name)?.do;
  if (binding?.kind !== 'function' || binding.checks === undefined) return checked;
  const functions = await requireFunctions(server);
  return functions.isValidBesideChecks(tool.input ?? inputSchema, args, binding) ? { args } : checked;
}

/** `prepare` may ask the client, which a task can't before it exists. */
async function prepareArguments(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
): Promise<CheckedArguments> {
  const { functions } = call.server;
  if (tool.own === undefined)
    tool.prepare ??= await (await functions?.runtime())?.bindPreparer(call.server, tool);
  const { prepare } = tool;
  tool.isUnprepared = prepare === undefined;
  if (prepare === undefined) return { args };
  try {
    return { args: await prepare(args, new CallContext(call)) };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    return { reason: describeThrown(thrown) };
  }
}

async function runBinding(call: Call, tool: ToolEntry, args: Record<string, unknown>): Promise<LooseResult> {
  const { server } = call;
  const { name } = tool.listed;
  const binding = await requireToolBinding(server, name);
  if (binding.kind === 'http') {
    const upstream = await (server.cache.upstream ??= loadUpstream(server));
    tool.work = (later, given) => upstream.tool(later, { binding, args: given, tool: name });
    return tool.work(call, args);
  }
  // Later calls skip the binding.
  tool.handler = await (await requireFunctions(server)).bindTool(server, binding, name);
  return runHandler(call, tool, args);
}

/**
 * Failures of the tool are results.
 * @throws {ProtocolError} thrown by the tool, or if the revision has no result for its outcome
 */
export async function runHandler(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
): Promise<LooseResult> {
  try {
    const callOriginalTool = async (changed = args, options: CallOnce = {}): Promise<ToolResult> =>
      callToolEntry(call, tool.own ?? tool, changed, options);
    const returned = await tool.handler?.(args, new CallContext(call), callOriginalTool);
    return toResult(returned, tool.listed.outputSchema !== undefined);
  } catch (thrown) {
    return failureResult(thrown, call);
  }
}

function failureResult(thrown: unknown, { agreement }: Call): LooseResult {
  if (thrown instanceof ProtocolError) throw thrown;
  if (thrown instanceof InvalidArgumentsError && agreement.features.invalidArguments === 'protocol-error')
    throw invalidParamsError(thrown.message);
  return errorResult(describeThrown(thrown));
}

/** `context.call`. @throws {ToolError} if no such tool is served */
export async function callNamedTool(
  call: Call,
  name: string,
  args: object = {},
  options: CallOnce = {},
): Promise<ToolResult> {
  const tool = getToolEntries(call.server).findToolEntry(name);
  if (tool !== undefined) return callToolEntry(call, tool, args, options);
  throw new ToolError(unknownNameError('tool', name, getToolEntries(call.server).listToolNames()).message);
}

async function callToolEntry(
  outer: Call,
  tool: ToolEntry,
  args: object,
  options: CallOnce,
): Promise<ToolResult> {
  const target = { method: 'tools/call', name: tool.listed.name, args };
  return performInnerCall(outer, target, options, async (call, given) => {
    if (hasBoundInputSchemas(call.server)) await loadInputSchema(call.server, tool);
    const first = checkArguments(tool, given);
    const checked = 'args' in first ? first : await leaveToChecks(call.server, tool, given, first);
    const isReady =
      'reason' in checked || (tool.prepare === undefined && call.server.functions === undefined);
    const prepared = isReady ? checked : await prepareArguments(call, tool, checked.args);
    // Newer revisions lack nothing that a result may hold.
    return (await answerCall(call, tool, prepared, featuresOf(MODERN_REVISIONS[0]))) as ToolResult;
  });
}

export function requireTool(server: ServerInstance, name: string): ToolEntry {
  const tool = server.cache.tools?.open.get(name) ?? getToolEntries(server).findToolEntry(name);
  if (tool !== undefined) return tool;
  throw unknownNameError('tool', name, getToolEntries(server).listToolNames());
}

export function getToolEntries(server: ServerInstance): ToolEntries {
  return (server.cache.tools ??= new LazyTools(server));
}

/** Most sessions call few of the tools that a catalog has. */
class LazyTools implements ToolEntries {
  readonly open: Map<string, ToolEntry>;
  readonly #server: ServerInstance;
  #places = new Map<string, number>();
  /** The catalog's count of changes when the places were read; another count makes them old. */
  #changes: number | undefined;

  constructor(server: ServerInstance) {
    this.#server = server;
    this.open = new Map(server.surface?.entries);
  }

  findToolEntry(name: string): ToolEntry | undefined {
    const known = this.open.get(name);
    const at = known === undefined ? this.#indexListedTools().get(name) : undefined;
    const listed = at === undefined ? undefined : this.#server.catalog.itemAt('tools', at);
    if (listed === undefined) return known;
    const entry = makeToolEntry(this.#server, listed);
    this.open.set(name, entry);
    return entry;
  }

  has(name: string): boolean {
    return this.open.has(name) || this.#indexListedTools().has(name);
  }

  listToolNames(): Iterable<string> {
    return new Set([...this.#indexListedTools().keys(), ...this.open.keys()]);
  }

  #indexListedTools(): ReadonlyMap<string, number> {
    const { catalog } = this.#server;
    if (this.#changes !== catalog.changes) {
      this.#places = new Map(catalog.keys('tools').map((name, at) => [name, at]));
      this.#changes = catalog.changes;
    }
    return this.#places;
  }
}

export function makeToolEntry(server: ServerInstance, listed: ListedTool): ToolEntry {
  const entry = makeOverriddenEntry(listed, server.handlers);
  if (!mustConfirm(server, listed)) return entry;
  const handler: ToolEntry['handler'] = async (args, context, next) => {
    const refusal = await findUserRefusal(server, listed, args, context);
    return refusal === undefined ? next() : errorResult(refusal);
  };
  return { ...entry, prepare: undefined, handler, own: entry };
}

export function mustConfirm({ confirms }: ServerInstance, { annotations = {} }: ListedTool): boolean {
  const { readOnlyHint, destructiveHint } = annotations;
  return confirms === true && readOnlyHint !== true && destructiveHint !== false;
}

export async function findUserRefusal(
  { features }: ServerInstance,
  listed: ListedTool,
  args: Record<string, unknown>,
  context: Context,
): Promise<string | undefined> {
  const ask = await features.ask?.();
  if (ask === undefined) throw new Error(missingFeatureText('ask'));
  const isConfirmed = await ask.askToConfirmCall(context, listed, args);
  return isConfirmed ? undefined : `${listed.name} was not run: the user did not confirm it.`;
}

function makeOverriddenEntry(
  listed: ListedTool,
  { tools = {}, extraTools = [] }: Handlers<object>,
): ToolEntry {
  const { name } = listed;
  // The compiler has checked the types of their arguments.
  const override = getOwnMember(tools as Record<string, ToolOverride<Record<string, unknown>>>, name);
  const { handler, prepare, scopes } = extraTools.find((tool) => tool.name === name) ?? {};
  const own: ToolEntry = { listed, handler, prepare, scopes };
  return typeof override === 'function' ? { ...own, handler: override, own } : own;
}

/** Loads the part that calls functions. */
export async function requireFunctions({ functions }: ServerInstance): Promise<FunctionsRuntime> {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  return functions.runtime();
}

export async function loadUpstream(server: ServerInstance): Promise<BoundUpstream> {
  const { api } = server.features;
  if (api === undefined) throw new Error('The server has no API, but a binding calls one.');
  return (await api()).bindUpstreamToServer(server);
}

export async function requireToolBinding(server: ServerInstance, name: string): Promise<Binding> {
  const binding = getOwnMember((await server.bindings()).tools, name)?.do;
  if (binding === undefined) throw new Error(`No work is bound to the tool ${name}.`);
  return binding;
}
