/** Memory that clients make the server keep, lists that count as calls, and good tokens from the address of bad ones. */
import { replacement } from '../checks.mjs';

const memory = ['memory'];

const goOn = (check, edit, rows, admits) => ({
  ...replacement(check, edit, memory, rows),
  each: true,
  admits,
});

export const checks = [
  goOn(
    'unfinished bytes of one address',
    ['if (held.bytes > perAddress)', 'if (false)'],
    /before their end, of one address/,
    /got (?:[6-9]|\d\d) go on/,
  ),
  goOn(
    'unfinished bytes in all',
    ['while (this.#bytes > inAll)', 'while (false)'],
    /of ten addresses/,
    /got 20 go on/,
  ),
  goOn('bodies count', ['if (length < claimed)', 'if (false)'], /^bodies .* of one address/, /got 20 go on/),
  goOn(
    'messages of WebSockets count',
    ['this.#holding.set(heldBytes)', 'void heldBytes'],
    /^WebSocket messages .* of one address/,
    /got 20 go on/,
  ),
  goOn('answers count', ['holding.set(unread)', 'void unread'], /^JSON answers/, /got [23] of 3 go on/),
  goOn(
    'backlogs of streams count',
    ['this.#holding.set(this.bytes)', 'void 0'],
    /on a WebSocket that nobody reads|HTTP\+SSE/,
    /got [23] of 3 go on/,
  ),
  goOn(
    'lists count as calls',
    ['limited: true,\n\t\trun: listMethod(list)', 'run: listMethod(list)'],
    /^tools\/list/,
    /and then 200/,
  ),
  {
    ...replacement(
      'good tokens beyond the limit of bad ones',
      ['if (isBeyond && spent?.tryTake() === false)', 'if (isBeyond)'],
      memory,
      /and then a new good/,
    ),
    // Every 200 ms an address earns a check, so where rows are slow some are served by chance.
    admits: /refused by 429/,
  },
  goOn(
    'a token that its issuer has signed is refused by name',
    ['thrown.isSigned = true', 'thrown.isSigned = false'],
    /an expired token that its issuer has signed/,
    /refused by 429/,
  ),
  goOn(
    'proxies are told of once',
    ['reported.add(remoteAddress)', 'void reported'],
    /of a proxy that is not named/,
    /said [2-9] times/,
  ),
];
