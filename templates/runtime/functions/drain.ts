/** Runs a generator to its end: its result is what it returns, or the list of what it yields. */
import { isRecord } from '../contract/json-value.ts';
import type { Context } from '../definition.ts';
import { writeJson } from '../contract/json-text.ts';

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>;

/** A generator is its own; any other async iterable has one. */
function iteratorOf(given: AnyIterator | AsyncIterable<unknown>): AnyIterator {
  return Symbol.asyncIterator in given ? given[Symbol.asyncIterator]() : given;
}

/** What it returns; what it yields is told as progress. */
export async function drain(generator: AnyIterator, context: Context): Promise<unknown> {
  return run(generator, context, (value, count) => tell(value, count, context));
}

/**
 * What it yields, as a list. Progress is how many there are, and texts: of anything else a part may be one that stays
 * inside.
 */
export async function drainItems(
  generator: AnyIterator | AsyncIterable<unknown>,
  context: Context,
): Promise<unknown[]> {
  const items: unknown[] = [];
  await run(iteratorOf(generator), context, (value, count) => {
    items.push(value);
    return context.progress(count, undefined, typeof value === 'string' ? value : undefined);
  });
  return items;
}

/** Ends the generator when the call is cancelled: its `finally` blocks run. */
async function run(
  generator: AnyIterator,
  context: Context,
  take: (value: unknown, count: number) => Promise<void>,
): Promise<unknown> {
  for (let count = 1; ; count += 1) {
    const step: IteratorResult<unknown> = await generator.next();
    if (step.done === true) return step.value;
    if (context.signal.aborted) {
      await generator.return?.();
      return undefined;
    }
    await take(step.value, count);
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
