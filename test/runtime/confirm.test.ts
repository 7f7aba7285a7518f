// `--confirm destructive` can't be lost: what a start says, and which starts are refused. What is asked: runtime/core/confirm.test.ts.
import { expect, test } from 'vitest';
import { ask } from '../../templates/runtime/features/ask/index.ts';
import { confirm } from '../../templates/runtime/features/confirm.ts';
import { parseFlags } from '../../templates/runtime/settings.ts';
import { makeServer, type Parts } from './core.ts';

const without = ['confirm', 'ask'];
const start = (parts: Parts) => {
  const server = makeServer({ without, ...parts }, []);
  return server.start().then(() => server.describe());
};
const flags = { confirm: 'destructive' };

test.each<[string, Parts, string]>([
  ['neither feature nor flag', {}, 'confirm: off'],
  ['no flag', { features: [confirm(), ask()] }, 'confirm: off'],
  ['the flag', { features: [confirm(), ask()], flags }, 'confirm: destructive'],
  ['the configuration', { features: [confirm({ tools: 'destructive' }), ask()] }, 'confirm: destructive'],
])('a start says what holds: %s', async (_, parts, words) => {
  expect(await start(parts)).toContain(words);
});

test.each<[string, Parts, RegExp]>([
  ['another value', { features: [confirm(), ask()], flags: { confirm: 'all' } }, /--confirm must be destr/],
  ['no way to ask', { features: [confirm()], flags }, /--confirm destructive needs ask/],
  ['no way to ask, by the configuration', { features: [confirm({ tools: 'destructive' })] }, /needs ask/],
])('a start is refused: %s', async (_, parts, words) => {
  await expect(start(parts)).rejects.toThrow(words);
});

test('a server that lost the feature does not start, and the flag names it', async () => {
  const bindings = { requires: ['confirm'], refuses: { '--confirm': 'ask' } };
  expect(() => makeServer({ without, bindings }, [])).toThrow(/lacks the feature confirm/);
  const { definition } = makeServer({ without, bindings: { refuses: bindings.refuses } }, []);
  expect(() => parseFlags(['--confirm', 'destructive'], definition)).toThrow(/--confirm needs ask/);
});
