/** `tools/call`. A refusal by the protocol throws; a failure of the work is a result that says so. */
import { isRecord } from '../../protocol/json-rpc.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import type { ToolParts } from '../parts.ts';
import type { Project } from '../project.ts';
import { CallContext } from '../call-context.ts';
import { checkArguments, type CheckedArguments } from './check-arguments.ts';
import { fitResult } from './fit-result.ts';
import { doTool, failure } from './do-tool.ts';
import { prepareArguments } from './prepare-arguments.ts';
import { toolNamed } from './tool-parts.ts';

export const callTool: Method = async (call: Call) => {
  const { name, args } = readParams(call);
  const tool = toolNamed(call.project, name);
  const isTask =
    mayBeTask(call, tool) && (await import('../tasks/task-support.ts')).becomesTask(call, tool.listed);
  const checked = checkArguments(tool, args);
  const { invalidArguments, tasks } = call.agreement.features;
  // Who asked for a task of 2025-11-25 takes no other answer; the extension leaves it to the server.
  if (!checked.ok && !(isTask && tasks === 'core')) {
    if (invalidArguments === 'protocol-error') throw invalidParams(checked.reason);
    return failure(checked.reason);
  }
  const { prepare } = tool;
  const prepared =
    !checked.ok || prepare === undefined ? checked : await prepareArguments(call, prepare, checked.args);
  if (!isTask) return await doneCall(call, tool, prepared);
  const { startTask } = await import('../tasks/start-task.ts');
  return startTask(call, async (inner) => doneCall(inner, tool, prepared));
};

/** Most tools and most calls never are, and need not load what decides it. */
function mayBeTask({ params }: Call, { listed }: ToolParts): boolean {
  return listed.execution !== undefined || params['task'] !== undefined;
}

async function doneCall(call: Call, tool: ToolParts, prepared: CheckedArguments): Promise<object> {
  if (!prepared.ok) return failure(prepared.reason);
  const { project, agreement } = call;
  const result = await doTool(project, tool, prepared.args, new CallContext(call));
  const isOwn = tool.handler !== undefined;
  const onMismatch = isOwn ? (fault: string): void => reportOnce(project, tool, fault) : undefined;
  return fitResult(result, tool, agreement.features, project.limits, onMismatch);
}

/** Whoever wrote the handler sees no client's results; one line a tool is enough. */
function reportOnce({ report }: Project, tool: ToolParts, fault: string): void {
  if (tool.isReported === true) return;
  tool.isReported = true;
  report(
    `The code in src/handlers/ for ${tool.listed.name} does not answer what its output schema promises, so clients get ` +
      `a part or an error. ${fault}. Return an object that matches, or { content, isError: true }.`,
  );
}

function readParams({ params }: Call): { name: string; args: Record<string, unknown> } {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object.');
  return { name, args };
}
