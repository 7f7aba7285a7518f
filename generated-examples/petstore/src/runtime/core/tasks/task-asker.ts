/** Asks through a task: its questions wait until the client fetches them. */
import type { AskOptions } from '../../definition.ts';
import type { Json } from '../../contract/json-schema.ts';
import { type Asker, Keys, type Question } from '../asker.ts';
import { AskError } from '../asks.ts';
import type { Task } from './task.ts';

export class TaskAsker implements Asker {
  readonly #task: Task;
  readonly #timeoutMs: number;
  readonly #keys = new Keys();

  constructor(task: Task, timeoutMs: number) {
    this.#task = task;
    this.#timeoutMs = timeoutMs;
  }

  open(options: AskOptions): Question {
    const key = this.#keys.take(options.key);
    return {
      ask: async (method, params) => this.#ask(key, method, params),
      refuse: (reason) => new AskError(reason),
      drop: () => undefined,
    };
  }

  /** A task's handler runs once. */
  async remember<T extends Json>(_key: string, work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  async #ask(key: string, method: string, params: object | undefined): Promise<Record<string, unknown>> {
    const { signal } = this.#task.inFlight;
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (() => void) | undefined;
    try {
      return await new Promise((answer, fail) => {
        const stop = (reason: string): void => fail(new AskError(`${method} was given up: ${reason}`));
        giveUp = () => stop('the task has ended.');
        if (signal.aborted) return giveUp();
        signal.addEventListener('abort', giveUp, { once: true });
        timer = setTimeout(() => stop(`no answer came in ${this.#timeoutMs} ms.`), this.#timeoutMs);
        this.#task.put(key, { method, params, answer, fail });
      });
    } finally {
      clearTimeout(timer);
      if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
      this.#task.take(key);
    }
  }
}
