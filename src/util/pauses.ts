/** Lets a pending Ctrl-C be handled between two stages; throws the signal's reason once aborted. */
export async function yieldToSignals(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
