/** Does a tool's work: the project's own code where there is some, else the binding. */
import type { LooseResult } from '../../protocol/content.ts';
import { invalidParams, ProtocolError, UnfitArguments } from '../../protocol/protocol-error.ts';
import type { CallContext } from '../call-context.ts';
import { messageOf } from '../answer.ts';
import { loadFunctions, loadUpstream } from '../load-parts.ts';
import type { ToolEntry } from '../lazy-cache.ts';
import type { ServerInstance } from '../server-instance.ts';
import { failure, toResult } from '../handler-result.ts';

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
