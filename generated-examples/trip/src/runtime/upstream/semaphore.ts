/** Lets so many requests be at work at one time; others wait their turn, as long as they have time. */
import type { Deadline } from './deadline.ts';

export class Semaphore {
  #free: number;
  /** Oldest first. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs the work when it is its turn. Rejects with the deadline's reason when that ends before. */
  async run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    if (deadline.reason !== undefined) throw deadline.reason;
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(deadline);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #turn(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        release();
        resolve();
      };
      const release = deadline.onEnd((reason) => {
        this.#waiting.delete(begin);
        reject(reason);
      });
      this.#waiting.add(begin);
    });
  }

  /** Hands the place on, or keeps it for who comes next. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}
