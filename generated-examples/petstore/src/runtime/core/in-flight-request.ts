import type { RawJson } from './answer.ts';
import type { AuditedCall } from './audit.ts';

/** One request under way. */
export class InFlightRequest {
  #controller: AbortController | undefined;
  #reason: string | undefined;
  #leaving: Set<() => void> | undefined;
  /** Whether the client may cancel it. */
  readonly cancellable: boolean;
  /** Its answer is on its way: nothing may follow it. */
  done = false;
  /** Told of it, where an audit log is kept. */
  audited: AuditedCall | undefined;
  /** Called after those who hear `signal`. */
  whenCancelled: (() => void) | undefined;
  #follow: (outcome: Promise<object | RawJson>) => void = (outcome) => void outcome.catch(() => undefined);
  #cancelled = false;

  constructor(cancellable = true) {
    this.cancellable = cancellable;
  }

  /** Nobody wants an answer any more. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Why nobody wants what is being done; undefined while somebody does. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Calls back once, when nobody wants what is being done any more. Returns what takes the callback away. */
  onLeft(callback: () => void): () => void {
    const leaving = (this.#leaving ??= new Set());
    leaving.add(callback);
    return () => leaving.delete(callback);
  }

  /** Made when first asked for: most calls end without anyone looking, and an AbortController is not cheap. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#abort();
    return this.#controller.signal;
  }

  /** Tells what `outcome` comes to, or the one it is left for. */
  follow(
    outcome: Promise<object | RawJson>,
    succeed: (result: object | RawJson) => void,
    fail: (thrown: unknown) => void,
  ): void {
    let awaited = outcome;
    this.#follow = (other) => {
      awaited = other;
      const isAwaited = (): boolean => awaited === other && !this.done;
      other.then(
        (result) => isAwaited() && succeed(result),
        (thrown: unknown) => isAwaited() && fail(thrown),
      );
    };
    this.#follow(outcome);
  }

  /** Ends the request with another outcome than that of its method, which nobody hears any more. */
  leave(outcome: Promise<object | RawJson>): void {
    this.#follow(outcome);
  }

  cancel(reason: string): void {
    this.#cancelled = true;
    this.abandon(reason);
    this.whenCancelled?.();
  }

  /** What is still being done is of no use any more, though there is an answer. */
  abandon(reason: string): void {
    if (this.#reason === undefined) {
      this.#reason = reason;
      for (const leave of this.#leaving ?? []) leave();
    }
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new DOMException(this.#reason, 'AbortError'));
  }
}
