/** `tools/call`. A refusal by the protocol throws; a failure of the work is a result that says so. */
import { isRecord } from '../../contract/json-value.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import type { ToolEntry } from '../lazy-cache.ts';
import type { ServerInstance } from '../server-instance.ts';
import { CallContext } from '../call-context.ts';
import { checkArguments, prepareArguments } from './check-arguments.ts';
import { fitResult } from './fit-result.ts';
import { runTool } from './run-tool.ts';
import { failure } from '../handler-result.ts';
import { toolNamed } from './tool-entry.ts';

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
