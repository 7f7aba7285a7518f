// Origins of two surfaces, and how a comparison shows them.
import { expect, test } from 'vitest';
import { renderDiff } from '../../src/cli/render-diff.ts';
import { diffSurfaces } from '../../src/diff/surface-diff.ts';
import type { Surface } from '../../src/diff/surface.ts';
import type { CredentialOrigins } from '../../src/model/credential-origins.ts';

const surface = (origins?: CredentialOrigins): Surface => ({
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  ...(origins && { origins }),
});
const [A, B] = ['https://a.example', 'https://b.example'];

test.each<
  [what: string, before: CredentialOrigins | undefined, after: CredentialOrigins | undefined, want: string[]]
>([
  ['the same', { K: [A], requests: [A] }, { K: [A], requests: [A] }, []],
  ['one side is not known', undefined, { K: [A] }, []],
  ['moved', { K: [A] }, { K: [B] }, [`breaking ${B}: added, for K`, `compatible ${A}: removed, for K`]],
  ['of requests alone', { requests: [A] }, { requests: [A, B] }, [`breaking ${B}: added`]],
  ['a known one of another', { K: [A], L: [B] }, { K: [A], L: [A, B] }, [`breaking ${A}: gets L too`]],
  ['a new credential', { K: [A] }, { K: [A], L: [A] }, []],
  ['a credential is gone', { K: [A], L: [A] }, { K: [A] }, []],
])('%s', (_what, before, after, want) => {
  const { changes } = diffSurfaces(surface(before), surface(after));
  expect(changes.map(({ effect, name, text }) => `${effect} ${name}: ${text}`)).toEqual(want);
});

test('text shows them', () => {
  const diff = diffSurfaces(surface({ K: [A] }), surface({ K: [B] }));
  expect(renderDiff(diff, (_style, text) => text)).toContain(`origin  ${B}  added, for K`);
});
