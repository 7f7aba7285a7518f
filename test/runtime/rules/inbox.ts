/** Messages that a client has received, in order; waits for more. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';

export class Inbox {
  readonly messages: unknown[] = [];
  #waiting: (() => void)[] = [];

  put(message: unknown): void {
    this.messages.push(message);
    for (const look of this.#waiting.splice(0)) look();
  }

  clear(): void {
    this.messages.length = 0;
  }

  /** All of them, once there are so many. */
  async reach(count: number): Promise<unknown[]> {
    while (this.messages.length < count) await this.#more();
    return this.messages;
  }

  /** The first that `fits`, once there is one. */
  async find(fits: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.messages.find((each) => isRecord(each) && fits(each));
      if (isRecord(found)) return found;
      await this.#more();
    }
  }

  async answerTo(id: unknown): Promise<Record<string, unknown>> {
    return this.find((message) => message['id'] === id && !('method' in message));
  }

  async #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
