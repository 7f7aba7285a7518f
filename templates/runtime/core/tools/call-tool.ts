// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
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
import { findBinding, findTool, loadFunctions, openApis } from './tool-entry.ts';
import { compileSchema, repairArguments } from '../../schema/index.ts';
import { messageOf } from '../answer.ts';
import type { LooseResult } from '../../protocol/content.ts';

export const callTool: Method = async (call: Call) => {
  const { server, params, agreement } = call;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object.');
  const tool = findTool(server, name);
  // Most tools and most calls never become a task, and need not load what decides it.
  const mayBeTask = tool.listed.execution !== undefined || params['task'] !== undefined;
  const tasks = mayBeTask ? await server.features.tasks?.() : undefined;
  const isTask = tasks?.becomesTask(call, tool.listed) === true;
  const checked = checkArguments(tool, args);
  // A client of 2025-11-25 that asked for a task takes no other answer; the extension leaves it to the server.
  if ('reason' in checked && !(isTask && agreement.features.tasks === 'core'))
    return refuseArguments(call, checked.reason);
  const isPrepared = 'args' in checked && (tool.prepare !== undefined || server.functions !== undefined);
  const prepared = isPrepared ? await prepareArguments(call, tool, checked.args) : checked;
  return isTask
    ? tasks.startTask(call, async (inner) => answerCall(inner, tool, prepared))
    : answerCall(call, tool, prepared);
};

/** @throws {ProtocolError} where the revision has no result for it */
function refuseArguments({ agreement, context }: Call, why: string): object {
  const reason = context.caller?.withoutToken?.(why) ?? why;
  if (agreement.features.invalidArguments === 'protocol-error') throw invalidParams(reason);
  return failure(reason);
}

async function answerCall(call: Call, tool: ToolEntry, checked: CheckedArguments): Promise<object> {
  if ('reason' in checked) return failure(checked.reason);
  const { server, agreement } = call;
  const result = await runTool(call, tool, checked.args);
  // Asked now: a function has become the handler with its first call.
  const isOwn = tool.handler !== undefined;
  const onMismatch = isOwn ? (fault: string): void => reportOnce(server, tool, fault) : undefined;
  return fitResult(result, tool, agreement.features, server.limits, onMismatch);
}

/** Reports a mismatch once for each tool, since authors of handlers don't see clients' results. */
function reportOnce({ report }: ServerInstance, tool: ToolEntry, fault: string): void {
  if (tool.isReported === true) return;
  tool.isReported = true;
  report(
    `The code of ${tool.listed.name} does not answer what its output schema promises, so clients get ` +
      `a part or an error. ${fault}. Return an object that matches, or { content, isError: true }.`,
  );
}

/** Arguments for the tool's handler or binding, or why there are none, in words a model can act on. */
export type CheckedArguments = { args: Record<string, unknown> } | { reason: string };

/**
 * Valid arguments stay as they are. Others are tried once more with JSON strings read where the schema wants an
 * object or an array, since models write those.
 */
export function checkArguments(tool: ToolEntry, args: Record<string, unknown>): CheckedArguments {
  const validate = (tool.validateInput ??= compileSchema(tool.listed.inputSchema));
  if (validate(args).length === 0) return { args };
  const repaired = repairArguments(tool.listed.inputSchema, args);
  const errors = validate(repaired);
  if (errors.length === 0 && isRecord(repaired)) return { args: repaired };
  const misfits = errors.map(({ message }) => message);
  return { reason: unfitWords(tool.listed.name, misfits) };
}

/** Questions of `prepare` to the client belong to the call itself, ahead of a task. */
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
    return { reason: messageOf(thrown) };
  }
}

/** A function may prepare the arguments of another. */
async function boundPreparer(server: ServerInstance, name: string): Promise<ToolEntry['prepare']> {
  const isOverridden = Object.hasOwn(server.handlers.tools ?? {}, name);
  if (server.functions === undefined || isOverridden) return undefined;
  const { tools } = await server.bindings();
  const binding = Object.hasOwn(tools, name) ? tools[name]?.prepare : undefined;
  return binding && (await loadFunctions(server)).prepare(binding, name);
}

/**
 * Runs the tool's handler or binding. Its failures are results.
 *
 * @throws {ProtocolError} what is one, and what the revision has no result for
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
    // From now on the function is the tool's handler.
    tool.handler = await (await loadFunctions(server)).tool(binding, name);
  }
  try {
    return toResult(await tool.handler(args, new CallContext(call)), outputSchema !== undefined);
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    if (thrown instanceof UnfitArguments && agreement.features.invalidArguments === 'protocol-error')
      throw invalidParams(thrown.message);
    return failure(messageOf(thrown));
  }
}
