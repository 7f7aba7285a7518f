/** Tells the client of a call that its work still goes on: some give up on one that says nothing for long. */
import type { Context } from '../definition.ts';
import { isRequestId } from '../protocol/json-rpc.ts';
import type { ServerInstance } from './server-instance.ts';

/** Told how many items of an answer have come, as more come. */
export type OnItems = (count: number) => void;

/**
 * Does the work, and meanwhile reports the seconds since it began: every `progressIntervalMs` milliseconds, and with
 * each item of an answer that comes in items. Without a `progressToken` nobody listens, and no timer is set.
 */
export function withPings<T>(
  server: Pick<ServerInstance, 'limits' | 'report'>,
  context: Context,
  work: (onItems?: OnItems) => Promise<T>,
): Promise<T> {
  return isRequestId(context.meta?.['progressToken']) ? ping(server, context, work) : work();
}

async function ping<T>(
  { limits, report }: Pick<ServerInstance, 'limits' | 'report'>,
  { progress }: Context,
  work: (onItems?: OnItems) => Promise<T>,
): Promise<T> {
  const began = performance.now();
  let items = 0;
  // One scale for both: progress must rise, and nobody knows how many items there will be.
  const tell = (seconds: number): void => {
    const words = items === 0 ? 'Waiting for the API.' : `${items} ${items === 1 ? 'item' : 'items'} so far.`;
    progress(seconds, undefined, words).catch(report);
  };
  const timer = setInterval(() => tell(Math.round(secondsSince(began))), limits.progressIntervalMs);
  try {
    return await work((count) => {
      items = count;
      tell(secondsSince(began));
    });
  } finally {
    clearInterval(timer);
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000;
}
