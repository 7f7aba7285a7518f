/** A tool's arguments against its input schema. */
import { isRecord } from '../../contract/json-value.ts';
import { unfitWords } from '../../protocol/protocol-error.ts';
import { repairArguments } from '../../schema/index.ts';
import type { ToolEntry } from '../lazy-cache.ts';
import { inputValidator } from './tool-entry.ts';
import { ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call } from '../call.ts';
import { CallContext } from '../call-context.ts';
import { loadFunctions } from '../load-parts.ts';
import type { ServerInstance } from '../server-instance.ts';

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
