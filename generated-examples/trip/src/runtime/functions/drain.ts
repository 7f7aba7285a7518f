/** Runs a generator to its end: what it yields is told as progress, what it returns is the result. */
import type { Context } from '../definition.ts';
import { isRecord } from '../protocol/json-rpc.ts';
import { writeJson } from '../schema/json-text.ts';

/** Ends the generator when the call is cancelled: its `finally` blocks run. */
export async function drain(
  generator: AsyncIterator<unknown> | Iterator<unknown>,
  context: Context,
): Promise<unknown> {
  for (let count = 1; ; count += 1) {
    const step: IteratorResult<unknown> = await generator.next();
    if (step.done === true) return step.value;
    if (context.signal.aborted) {
      await generator.return?.();
      return undefined;
    }
    await tell(step.value, count, context);
  }
}

/**
 * A number is how far it has come, a text what it is doing, `{ progress, total?, message? }` both; any other value is
 * told as JSON text, and its place in the row as the progress.
 */
async function tell(value: unknown, count: number, { progress }: Context): Promise<void> {
  if (typeof value === 'number') return progress(value);
  if (typeof value === 'string') return progress(count, undefined, value);
  if (isRecord(value) && typeof value['progress'] === 'number') {
    const { progress: done, total, message } = value;
    return progress(
      done as number,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  }
  return progress(count, undefined, value === undefined ? undefined : writeJson(value));
}
