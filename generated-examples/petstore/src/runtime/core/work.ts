/** One request under way. */
export class Work {
  #controller: AbortController | undefined;
  #reason: string | undefined;
  /** Whether the client may cancel it. */
  readonly cancellable: boolean;
  /** The answer is on its way: nothing may follow it. */
  done = false;

  constructor(cancellable = true) {
    this.cancellable = cancellable;
  }

  get cancelled(): boolean {
    return this.#reason !== undefined;
  }

  /** Made when first asked for: most calls end without anyone looking, and an AbortController is not cheap. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#abort();
    return this.#controller.signal;
  }

  cancel(reason: string): void {
    this.#reason ??= reason;
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new DOMException(this.#reason, 'AbortError'));
  }
}
