/** Sessions that nodes share in Redis. */
import { refusal, replacement } from '../checks.mjs';

const family = ['sessions over nodes'];

export const checks = [
  replacement(
    'a stream of its session over nodes',
    ['`session ${this.#options.hash} ${stream}`', '`session ${stream}`'],
    family,
    /the rest of a stream of another session/,
  ),
  {
    ...replacement(
      'an answer of its session over nodes',
      ['this.#sessions.get(hash)?.obeyOrder(', 'for (const each of this.#sessions.values()) each.obeyOrder('],
      family,
      /an answer to a question of another session/,
    ),
    admits: /, cancel$/,
  },
  {
    ...refusal(
      'an event in Redis is one message',
      'message !== "" && (/[\\r\\n]/.test(message) || readMessages(message) === void 0)',
      family,
      /an event in Redis/,
    ),
    admits: /, planted$/,
  },
];
