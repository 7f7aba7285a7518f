/** Cost of made-up tokens, and one caller's share of sessions, tasks and subscriptions. */
import { refusal, replacement } from '../checks.mjs';

const madeUp = ['made-up tokens'];
const questions = ['questions about tokens'];
const shares = ['shares of callers'];

export const checks = [
  {
    ...replacement(
      'refusals of one address',
      ['const isBeyond = limiter?.tryTake() === false', 'const isBeyond = false'],
      madeUp,
      /400 (?:texts|tokens)/,
    ),
    admits: /then never/,
  },
  {
    ...replacement(
      'a good token is not kept waiting',
      ['this.#tokens.wasGood(digest) ? check', 'false ? check'],
      questions,
      /of the address of a good one/,
    ),
    admits: /and then 429$/,
  },
  {
    ...replacement(
      'one token is asked about once',
      ['const pending = this.#pending.get(digest) ?? this', 'const pending = this'],
      questions,
      /one made-up token/,
    ),
    admits: /; (?!1 )\d+ asked about$/,
  },
  {
    ...replacement(
      'questions at a time',
      ['if (inFlight < limits.questions)', 'if (true)'],
      questions,
      /of eight addresses/,
    ),
    admits: /\d at a time$/,
  },
  {
    ...refusal(
      'none is asked after a failure',
      'now() - failedAt < limits.failureMs',
      questions,
      /while the issuer/,
    ),
    admits: /; \d+ asked about$/,
  },
  {
    ...replacement(
      'failures in a row',
      ['failures < limits.failuresInARow', 'true'],
      questions,
      /while the issuer fails/,
    ),
    admits: /; \d+ asked about$/,
  },
  {
    ...replacement(
      'answers about who asks',
      ['!ABOUT_CLIENT.includes(status) && failures', 'failures'],
      questions,
      /does not know who asks/,
    ),
    admits: /; \d+ asked about$/,
  },
  replacement(
    'subscriptions of one subject',
    ['|| own >= subscriptionsPerClient', ''],
    shares,
    /more subscriptions/,
  ),
  {
    ...replacement(
      'subscriptions by subject',
      ['return caller?.subject ?? address ?? channel;', 'return address ?? channel;'],
      shares,
      /more subscriptions/,
    ),
    admits: /another: 429$/,
  },
  replacement(
    'tasks of one subject',
    ['|| this.listTasksOf(owner).length >= tasksPerClient', ''],
    shares,
    /more tasks/,
  ),
];
