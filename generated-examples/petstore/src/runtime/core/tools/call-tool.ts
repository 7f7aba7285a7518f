/** `tools/call`. A refusal by the protocol throws; a failure of the work is a result that says so. */
import { isRecord } from '../../protocol/json-rpc.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { checkArguments } from './check-arguments.ts';
import { fitResult } from './fit-result.ts';
import { doTool } from './do-tool.ts';
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
  const context = new CallContext(call);
  return fitResult(await doTool(call.project, tool.listed, checked.args, context), tool, features);
};

function readParams({ params }: Call): { name: string; args: Record<string, unknown> } {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') throw invalidParams('`name` must be a string: the name of a tool.');
  if (!isRecord(args)) throw invalidParams('`arguments` must be an object.');
  return { name, args };
}
