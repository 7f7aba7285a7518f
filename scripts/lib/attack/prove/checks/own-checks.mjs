/** Answers of the project's own code about tokens. */
import { replacement } from '../checks.mjs';

const own = 'tokens of own code';

export const checks = [
  replacement('the form of an own answer', ['isText(subject) &&', ''], own, /no subject|a subject/),
  replacement('the end of an own answer', ['now() >= (auth.expiresAt ?? 0) * 1e3', 'false'], own, /is over/),
  replacement(
    'an end that was meant in milliseconds',
    ['&& value <= LATEST_SECONDS', ''],
    own,
    /in milliseconds/,
  ),
];
