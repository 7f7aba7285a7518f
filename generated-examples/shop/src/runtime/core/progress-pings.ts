/** Tells the client of a call that its work still goes on: some give up on one that says nothing for long. */
import type { Context } from '../definition.ts';
import { isRequestId } from '../protocol/json-rpc.ts';
import type { Project } from './project.ts';

/**
 * Does the work, and meanwhile reports the seconds since it began, every `progressIntervalMs` milliseconds. Without a
 * `progressToken` nobody listens, and no timer is set.
 */
export async function withPings<T>(
  { limits, report }: Pick<Project, 'limits' | 'report'>,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  if (!isRequestId(context.meta?.['progressToken'])) return work();
  const { progress } = context;
  const began = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000);
    progress(seconds, undefined, 'Waiting for the API.').catch(report);
  }, limits.progressIntervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
