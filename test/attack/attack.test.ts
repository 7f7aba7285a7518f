// The judge of attacks notices one that was admitted. `npm run attack` runs the table on an emitted server, in CI too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { attack, type Row } from '../../scripts/lib/attack/run.mjs';

const families = await readFamilies();

test('each row has a name of its own', () => {
  const names = families.flatMap(({ family, rows }) => rows.map(({ name }) => `${family}: ${name}`));
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const refused = () => Promise.resolve('403');

test.each<[string, Partial<Row>, number, string | undefined]>([
  ['refused as it should be', {}, 0, undefined],
  ['refused in another way', { want: '401' }, 0, 'wanted 401, got 403'],
  ['refused, but a handler ran', {}, 1, 'reached {"handlers":1}'],
  ['let through, as it may be', { reaches: { handlers: 1 } }, 1, undefined],
  ['stopped where it may go', { reaches: { handlers: 1 } }, 0, 'reached {}'],
  [
    'one that fails',
    { attack: () => Promise.reject(new Error('no server')) },
    0,
    'wanted 403, got failed: no server',
  ],
])('%s', async (_, row, runs, miss) => {
  let handlers = 0;
  const close = () => Promise.resolve();
  // Each look is one run later.
  const witness = () => Promise.resolve({ handlers: runs * handlers++ });
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-attack-test-'));
  const rows = [{ name: 'one', want: '403', attack: refused, ...row }];
  const open = () => Promise.resolve({ witness, close });
  const [verdict] = await attack([{ family: 'fake', rows, open }], folder);
  rmSync(folder, { recursive: true });
  expect(verdict?.miss).toBe(miss);
});

test('a family that lacks a program is named and not run', async () => {
  const lines: string[] = [];
  const open = (): never => {
    throw new Error('opened');
  };
  const rows = [{ name: 'one', want: '403', attack: refused }];
  const family = { family: 'fake', rows, lacks: 'redis-server', open };
  expect(await attack([family], tmpdir(), (line) => lines.push(line))).toEqual([]);
  expect(lines).toEqual(['fake: left out, there is no redis-server']);
});

test('a target that answers no more is another one for the next row', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-attack-test-'));
  const closed: string[] = [];
  let opened = 0;
  const open = () => {
    const name = `target ${++opened}`;
    let looks = 0;
    const witness = () =>
      opened === 1 && ++looks === 2 ? new Promise<never>(() => undefined) : Promise.resolve({});
    return Promise.resolve({ witness, close: () => Promise.resolve(void closed.push(name)) });
  };
  const rows = ['first', 'second', 'third'].map((name) => ({ name, want: '403', attack: refused }));
  const verdicts = await attack([{ family: 'fake', rows, open }], folder, undefined, 10);
  rmSync(folder, { recursive: true });
  expect(verdicts.map(({ name, miss }) => [name, miss])).toEqual([
    ['first', 'the target answers no more'],
    ['second', undefined],
    ['third', undefined],
  ]);
  expect(closed).toEqual(['target 1', 'target 2']);
});
