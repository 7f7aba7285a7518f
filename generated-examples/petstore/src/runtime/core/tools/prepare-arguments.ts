/** What a tool's own code makes of the arguments before its work begins. */
import { ProtocolError } from '../../protocol/protocol-error.ts';
import { messageOf } from '../answer.ts';
import type { Call } from '../call.ts';
import { CallContext } from '../call-context.ts';
import type { ToolParts } from '../parts.ts';
import type { CheckedArguments } from './check-arguments.ts';

/** Questions that are asked here come before a task is made, and go the way of the call itself. */
export async function prepareArguments(
  call: Call,
  prepare: NonNullable<ToolParts['prepare']>,
  args: Record<string, unknown>,
): Promise<CheckedArguments> {
  try {
    return { ok: true, args: await prepare(args, new CallContext(call)) };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    return { ok: false, reason: messageOf(thrown) };
  }
}
