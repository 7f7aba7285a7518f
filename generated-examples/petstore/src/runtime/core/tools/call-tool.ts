/**
 * `tools/call`: validates the arguments, runs the project's own code or the binding, and fits the result. A refusal by the
 * protocol throws; a failure of the tool is a result that says so.
 */
import { isRecord } from '../../contract/json-value.ts';
import { invalidParams, unfitWords, ProtocolError, UnfitArguments } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import type { ToolEntry, ServerInstance } from '../server-instance.ts';
import { CallContext } from '../call-context.ts';
import { fitResult } from './fit-result.ts';
import { failure, toResult } from '../handler-result.ts';
import { toolNamed, inputValidator, loadFunctions, loadUpstream } from './tool-entry.ts';
import { repairArguments } from '../../schema/index.ts';
import { messageOf } from '../answer.ts';
import type { LooseResult } from '../../protocol/content.ts';

export const callTool: Method = async (call: Call) => {
  const { name, args } = readParams(call);
  const tool = toolNamed(call.server, name);
  const tasks = mayBeTask(call, tool) ? await call.server.features.tasks?.() : undefined;
  const isTask = tasks?.becomesTask(call, tool.listed) === true;
  const checked = checkArguments(tool, args);
  // Who asked for a task of 2025-11-25 takes no other answer; the extension leaves it to the server.
  if ('reason' in checked && !(isTask && call.agreement.features.tasks === 'core'))
    return refuseArguments(call, checked.reason);
  const isPrepared = checked.ok && (tool.prepare !== undefined || call.server.functions !== undefined);
  const prepared = isPrepared ? await prepareArguments(call, tool, checked.args) : checked;
  const answer = async (inner: Call): Promise<object> =>
    'reason' in prepared ? failure(prepared.reason) : answerCall(inner, tool, prepared.args);
  return isTask ? tasks.startTask(call, answer) : answer(call);
};

/** Most tools and most calls never are, and need not load what decides it. */
function mayBeTask({ params }: Call, { listed }: ToolEntry): boolean {
  return listed.execution !== undefined || params['task'] !== undefined;
}

/** @throws {ProtocolError} where the revision has no result for it */
function refuseArguments({ agreement, context }: Call, why: string): object {
  const reason = context.caller?.withoutToken?.(why) ?? why;
  if (agreement.features.invalidArguments === 'protocol-error') throw invalidParams(reason);
  return failure(reason);
}

async function answerCall(call: Call, tool: ToolEntry, args: Record<string, unknown>): Promise<object> {
  const { server, agreement } = call;
  const result = await runTool(server, tool, args, new CallContext(call));
  // Asked now: a function has become the handler with its first call.
  const isOwn = tool.handler !== undefined;
  const onMismatch = isOwn ? (fault: string): void => reportOnce(server, tool, fault) : undefined;
  return fitResult(result, tool, agreement.features, server.limits, onMismatch);
}

/** Whoever wrote the handler sees no client's results; one line a tool is enough. */
function reportOnce({ report }: ServerInstance, tool: ToolEntry, fault: string): void {
  if (tool.isReported === true) return;
  tool.isReported = true;
  report(
    `The code of ${tool.listed.name} does not answer what its output schema promises, so clients get ` +
      `a part or an error. ${fault}. Return an object that matches, or { content, isError: true }.`,
  );
}

function readParams({ params }: Call): { name: string; args: Record<string, unknown> } {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object.');
  return { name, args };
}

export type CheckedArguments =
  | { ok: true; args: Record<string, unknown> }
  /** What is wrong, in words a model can act on. */
  | { ok: false; reason: string };

/**
 * Valid arguments stay as they are. Others are tried once more with JSON strings read where the schema wants an
 * object or an array, since models write those.
 */
export function checkArguments(tool: ToolEntry, args: Record<string, unknown>): CheckedArguments {
  const validate = inputValidator(tool);
  if (validate(args).length === 0) return { ok: true, args };
  const repaired = repairArguments(tool.listed.inputSchema, args);
  const errors = validate(repaired);
  if (errors.length === 0 && isRecord(repaired)) return { ok: true, args: repaired };
  const misfits = errors.map(({ message }) => message);
  return { ok: false, reason: unfitWords(tool.listed.name, misfits) };
}

/** Questions that are asked here come before a task is made, and go the way of the call itself. */
export async function prepareArguments(
  call: Call,
  tool: ToolEntry,
  args: Record<string, unknown>,
): Promise<CheckedArguments> {
  const prepare = (tool.prepare ??= await boundPreparer(call.server, tool.listed.name));
  if (prepare === undefined) return { ok: true, args };
  try {
    return { ok: true, args: await prepare(args, new CallContext(call)) };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    return { ok: false, reason: messageOf(thrown) };
  }
}

/** The function that prepares what another one does. */
async function boundPreparer(server: ServerInstance, name: string): Promise<ToolEntry['prepare']> {
  const isOverridden = Object.hasOwn(server.handlers.tools ?? {}, name);
  if (server.functions === undefined || isOverridden) return undefined;
  const { tools } = await server.bindings();
  const binding = Object.hasOwn(tools, name) ? tools[name]?.prepare : undefined;
  return binding && (await loadFunctions(server)).prepare(binding, name);
}

/** Failures of the work are results; what is thrown, or rejected with, is a refusal by the protocol, or a fault of ours. */
export async function runTool(
  server: ServerInstance,
  tool: ToolEntry,
  args: Record<string, unknown>,
  context: CallContext,
): Promise<LooseResult> {
  const { handler, listed } = tool;
  if (handler === undefined) return runBinding(server, tool, args, context);
  try {
    return toResult(await handler(args, context), listed.outputSchema !== undefined);
  } catch (thrown) {
    return failed(thrown, context);
  }
}

/** @throws {ProtocolError} what is one, and what the revision has no result for */
function failed(thrown: unknown, { revision }: CallContext): LooseResult {
  if (thrown instanceof ProtocolError) throw thrown;
  if (thrown instanceof UnfitArguments && revision.invalidArguments === 'protocol-error')
    throw invalidParams(thrown.message);
  return failure(messageOf(thrown));
}

async function runBinding(
  server: ServerInstance,
  tool: ToolEntry,
  args: Record<string, unknown>,
  context: CallContext,
): Promise<LooseResult> {
  const { name } = tool.listed;
  const { tools } = await server.bindings();
  const binding = Object.hasOwn(tools, name) ? tools[name]?.do : undefined;
  if (binding === undefined) throw new Error(`No work is bound to the tool ${name}.`);
  if (binding.kind === 'function') {
    // From now on the function is the tool's handler.
    tool.handler = await (await loadFunctions(server)).tool(binding, name);
    return runTool(server, tool, args, context);
  }
  return (await loadUpstream(server)).tool(context, { binding, args, tool: name });
}
