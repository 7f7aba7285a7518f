/** JSON-RPC batches, which one revision has (2025-03-26, "Batching"). */
import type { Limits } from '../limits.ts';
import { eraOf } from '../protocol/revisions.ts';
import { type Incoming, readMessage } from '../protocol/json-rpc.ts';
import { type Answer, invalidMessage } from './answer.ts';
import type { RequestContext } from './call.ts';

/** Undefined when the batch holds nothing that is answered. */
export async function answerBatch(
  messages: readonly unknown[],
  { session }: RequestContext,
  limits: Pick<Limits, 'batchMessages'>,
  answer: (incoming: Incoming) => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer | Answer[] | undefined> {
  const batch = messages.map(readMessage);
  const refused = refuseBatch(batch, session?.agreement?.features.batches === true, limits.batchMessages);
  if (refused !== undefined) return invalidMessage(undefined, refused);
  const answers = await Promise.all(batch.map(async (incoming) => answer(incoming)));
  const given = answers.filter((each) => each !== undefined);
  return given.length === 0 ? undefined : given;
}

function refuseBatch(batch: readonly Incoming[], hasBatches: boolean, limit: number): string | undefined {
  if (batch.some((incoming) => incoming.kind === 'request' && incoming.method === 'initialize')) {
    return '`initialize` must not be part of a batch.';
  }
  if (batch.some(isModern)) return 'A request of the modern era must not be part of a batch.';
  if (!hasBatches) return 'The revision of this session has no batches.';
  if (batch.length === 0) return 'The batch is empty.';
  return batch.length > limit ? `A batch holds at most ${limit} messages.` : undefined;
}

function isModern(incoming: Incoming): boolean {
  return incoming.kind === 'request' && eraOf(incoming, undefined) === 'modern';
}
