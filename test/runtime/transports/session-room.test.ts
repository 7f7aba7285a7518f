// A full table of sessions: nobody shuts the others out.
import { expect, test } from 'vitest';
import { type LegacySession, Session } from '../../../templates/runtime/core/session.ts';
import { SessionStore } from '../../../templates/runtime/transports/http/session-store.ts';

/** Opens sessions one a millisecond, where there is room: `a` is of the party `a`, `A` of the same and in use. */
function open(parties: string, sessions: number, sessionsPerClient: number): string {
  let now = 0;
  const store = new SessionStore({ sessions, sessionsPerClient, sessionIdleMs: 1_000 }, () => now);
  let left: { name: string }[] = [];
  for (const party of parties) {
    now++;
    if (!store.makeRoom(party.toLowerCase())) continue;
    const one = { name: party };
    const session: LegacySession = {
      session: new Session(),
      isInUse: party !== party.toLowerCase(),
      stopListening: () => undefined,
      end: () => (left = left.filter((each) => each !== one)),
    };
    store.open(session, party.toLowerCase());
    left.push(one);
  }
  expect(store.size).toBe(left.length);
  return left.map(({ name }) => name).join('');
}

test.each([
  ['room for all', 'abc', 3, 2, 'abc'],
  ['one party more than it may have: its oldest goes', 'abaa', 9, 2, 'baa'],
  ['its oldest that is not in use', 'AbaaB', 9, 2, 'AbaB'],
  ['all of its own in use: no more', 'AAba', 9, 2, 'AAb'],
  ['all taken: the party that has most gives up one', 'aaab', 3, 9, 'aab'],
  ['until none has more than the others', 'aaabbb', 3, 9, 'aab'],
  ['who has most cannot displace others', 'abca', 3, 9, 'abc'],
  ['those in use stay', 'AAAb', 3, 9, 'AAA'],
])('%s', (_, parties, sessions, sessionsPerClient, want) => {
  expect(open(parties, sessions, sessionsPerClient)).toBe(want);
});
