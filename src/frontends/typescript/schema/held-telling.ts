import type { Held, TellAt } from './form.ts';

/** Reports at nodes; reports of held work wait until the work is kept. */
export class HeldTelling {
  #now: TellAt;

  constructor(tell: TellAt) {
    this.#now = tell;
  }

  readonly tell: TellAt = (...told) => {
    this.#now(...told);
  };

  hold<T>(work: () => T): Held<T> {
    const told: (() => void)[] = [];
    const tell = this.#now;
    this.#now = (...each) => {
      told.push(() => {
        tell(...each);
      });
    };
    try {
      return {
        result: work(),
        keep: () =>
          told.forEach((each) => {
            each();
          }),
      };
    } finally {
      this.#now = tell;
    }
  }
}
