import { expect, test } from 'vitest';
import { type Guards, chooseStrictest } from '../../../templates/runtime/contract/guards.ts';

const admins = { include: [], exclude: ['tag:admin'] };
const pets = { include: ['tag:pets'], exclude: [] };

/** What each place may state of a setting, the strictest last, and what the server does if nothing is stated. */
const settings: Record<string, { ranks: Guards[]; read: (guards: Guards) => unknown; unstated: unknown }> = {
  'read-only': {
    ranks: [{ readOnly: false }, { readOnly: true }],
    read: ({ readOnly }) => readOnly,
    unstated: false,
  },
  confirm: { ranks: [{ confirm: 'destructive' }], read: ({ confirm }) => confirm, unstated: undefined },
  'rate limit': {
    ranks: [Infinity, 600, 60].map((callsPerMinute) => ({ limits: { callsPerMinute } })),
    read: ({ limits }) => limits?.callsPerMinute,
    unstated: undefined,
  },
  connections: {
    ranks: [Infinity, 10].map((connectionsPerAddress) => ({ limits: { connectionsPerAddress } })),
    read: ({ limits }) => limits?.connectionsPerAddress,
    unstated: undefined,
  },
  size: {
    ranks: [4096, 1024].map((resultCharacters) => ({ limits: { resultCharacters } })),
    read: ({ limits }) => limits?.resultCharacters,
    unstated: undefined,
  },
  auth: { ranks: [{ auth: false }, { auth: true }], read: ({ auth }) => auth, unstated: false },
  'on behalf': {
    ranks: [{ onBehalf: 'optional' }, { onBehalf: 'required' }],
    read: ({ onBehalf }) => onBehalf,
    unstated: undefined,
  },
};

/** All choices of a rank, or of none (-1), by flag, variable, definition and catalog. */
function listCombinations(ranks: number): number[][] {
  const choices = Array.from({ length: ranks + 1 }, (_, index) => index - 1);
  return [1, 2, 3, 4].reduce<number[][]>(
    (all) => all.flatMap((chosen) => choices.map((choice) => [...chosen, choice])),
    [[]],
  );
}

test.each(Object.entries(settings))('the strictest statement of %s wins', (_, { ranks, read, unstated }) => {
  for (const chosen of listCombinations(ranks.length)) {
    const guards = chooseStrictest(...chosen.map((rank) => ranks[rank] ?? {}));
    const strictest = ranks[Math.max(...chosen)];
    expect([chosen, read(guards)]).toEqual([chosen, strictest === undefined ? unstated : read(strictest)]);
  }
});

test('a limit without a value states nothing', () => {
  const limits = { callsPerMinute: undefined };
  expect(chooseStrictest({ limits }).limits).toEqual({});
  expect(chooseStrictest({ limits: { callsPerMinute: 60 } }, { limits }).limits).toEqual({
    callsPerMinute: 60,
  });
});

test('what is served passes the selectors of all', () => {
  const ranks: Guards[] = [{ selectors: [admins] }, { selectors: [pets] }];
  for (const chosen of listCombinations(ranks.length)) {
    const { selectors } = chooseStrictest(...chosen.map((rank) => ranks[rank] ?? {}));
    expect(selectors).toEqual(chosen.flatMap((rank) => ranks[rank]?.selectors ?? []));
  }
});
