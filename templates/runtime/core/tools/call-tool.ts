/** `tools/call`. A refusal by the protocol throws; a failure of the work is a result that says so. */
import { isRecord } from '../../protocol/json-rpc.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import type { ToolParts } from '../parts.ts';
import type { Project } from '../project.ts';
import { CallContext } from '../call-context.ts';
import { checkArguments } from './check-arguments.ts';
import { fitResult } from './fit-result.ts';
import { doTool, ownHandler } from './do-tool.ts';
import { toolNamed } from './tool-parts.ts';

export const callTool: Method = async (call: Call) => {
  const { name, args } = readParams(call);
  const tool = toolNamed(call.project, name);
  const { features } = call.agreement;
  const checked = checkArguments(tool, args);
  if (!checked.ok) {
    if (features.invalidArguments === 'protocol-error') throw invalidParams(checked.reason);
    return { content: [{ type: 'text', text: checked.reason }], isError: true };
  }
  const result = await doTool(call.project, tool.listed, checked.args, new CallContext(call));
  const isOwn = ownHandler(call.project, name) !== undefined;
  return fitResult(
    result,
    tool,
    features,
    isOwn ? (fault) => reportOnce(call.project, tool, fault) : undefined,
  );
};

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
