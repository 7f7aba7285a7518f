/**
 * Questions about tokens, paced: anyone can make up a token, and whoever issues them is asked no more than it can answer.
 * Only so many are under way at a time, and after a failure none is asked for a moment.
 */
import type { AskIssuer, IssuerAnswer } from './ask-issuer.ts';
import type { AuthLimits } from './limits.ts';
import { CheckFailure } from './token-refusal.ts';

/** They are about who asks, whatever the token is. */
const OF_WHO_ASKS = [401, 403, 429];

export class PacedQuestions {
  readonly #ask: AskIssuer;
  readonly #limits: Pick<AuthLimits, 'questions' | 'failuresInARow' | 'failureMs'>;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #failures = 0;
  #failedAt = -Infinity;

  constructor(
    ask: AskIssuer,
    limits: Pick<AuthLimits, 'questions' | 'failuresInARow' | 'failureMs'>,
    now: () => number,
  ) {
    this.#ask = ask;
    this.#limits = limits;
    this.#now = now;
  }

  readonly ask: AskIssuer = async (url, question) => {
    await this.#turn();
    try {
      this.#refuseAfterFailure(url);
      const answer = await this.#ask(url, question);
      this.#count(answer);
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof Unasked)) this.#failedAt = this.#now();
      throw thrown;
    } finally {
      this.#passOn();
    }
  };

  async #turn(): Promise<void> {
    if (this.#underWay < this.#limits.questions) this.#underWay += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** To the one that waits for longest; it is under way in the place of the one that ends. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }

  #refuseAfterFailure({ origin, pathname }: URL): void {
    if (this.#now() - this.#failedAt < this.#limits.failureMs)
      throw new Unasked(`${origin}${pathname} failed a moment ago, and is not asked.`);
  }

  /** One failure may be of its token alone: it must not keep others from being asked about. */
  #count({ status, json }: IssuerAnswer): void {
    const isAnswered = (status === 200 && json !== undefined) || status === 400;
    this.#failures = isAnswered ? 0 : this.#failures + 1;
    if (!OF_WHO_ASKS.includes(status) && this.#failures < this.#limits.failuresInARow) return;
    this.#failures = 0;
    this.#failedAt = this.#now();
  }
}

class Unasked extends CheckFailure {}
