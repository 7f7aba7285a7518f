/** What a tool's own code makes of the arguments before its work begins. */
import { ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { functionsOf } from '../functions-of.ts';
import type { ToolEntry } from '../lazy-cache.ts';
import type { ServerInstance } from '../server-instance.ts';
import type { CheckedArguments } from './check-arguments.ts';

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
  return binding && (await functionsOf(server)).prepare(binding, name);
}
