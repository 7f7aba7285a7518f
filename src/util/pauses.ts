/** Splits long synchronous work into steps, so that Ctrl-C is heard between two of them. */

/** Pauses where another step begins. */
export type Steps<T> = Generator<undefined, T, undefined>;

export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** @throws the signal's reason once it is aborted */
export async function runWithPauses<T>(steps: Steps<T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldToSignals(signal);
  }
}

/** Items of a step: some milliseconds of work. */
export const STEP = 100;

export function* mapWithPauses<T, R>(items: readonly T[], work: (item: T) => R): Steps<R[]> {
  const done: R[] = [];
  for (const item of items) {
    if (done.length % STEP === STEP - 1) yield;
    done.push(work(item));
  }
  return done;
}

/** Lets a pending Ctrl-C be handled between two synchronous steps; throws the signal's reason once aborted. */
export async function yieldToSignals(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
