// Compiled code that is kept between runs, where Node doesn't do that itself.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { node } from '../e2e/support/command.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const loader = pathToFileURL(join(repositoryRoot, 'dist/src/cli/kept-code.js')).href;

/** A module, and what a run prints that loads it. */
function moduleOf(source: string): {
  folder: string;
  load: (env?: Record<string, string>) => Promise<string>;
} {
  const folder = mkdtempSync(join(temporaryFolder(), 'kept-'));
  writeFileSync(join(folder, 'large.cjs'), source);
  writeFileSync(
    join(folder, 'run.mjs'),
    `import { requireKept } from '${loader}';
const { answer } = requireKept(new URL('large.cjs', import.meta.url), false);
console.log(JSON.stringify(answer()));`,
  );
  return {
    folder,
    load: async (env = {}) => {
      const { code, stdout, stderr } = await node(['run.mjs'], { cwd: folder, env });
      return code === 0 ? stdout : stderr;
    },
  };
}

function kept(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes('.kept'));
}

const SOURCE = `const { basename } = require('node:path');
exports.answer = () => [basename(__filename), basename(__dirname).startsWith('kept-'), typeof module === 'object'];`;
const PRINTED = '["large.cjs",true,true]\n';

test('what a run has compiled the next one takes, and both do the same', async () => {
  const { folder, load } = moduleOf(SOURCE);
  expect(await load()).toBe(PRINTED);
  const [name = '', ...others] = kept(folder);
  expect(others).toEqual([]);
  const first = readFileSync(join(folder, name));
  expect(await load()).toBe(PRINTED);
  expect(readFileSync(join(folder, name)).equals(first)).toBe(true);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  [
    'a bit that changed',
    (bytes) =>
      Buffer.concat([bytes.subarray(0, 80), Buffer.from([bytes.readUInt8(80) ^ 1]), bytes.subarray(81)]),
  ],
  ['half of it', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['nothing', () => Buffer.alloc(0)],
])('%s is no code, and is written anew', async (_, spoil) => {
  const { folder, load } = moduleOf(SOURCE);
  await load();
  const [name = ''] = kept(folder);
  const whole = readFileSync(join(folder, name));
  writeFileSync(join(folder, name), spoil(whole));
  expect(await load()).toBe(PRINTED);
  expect(readFileSync(join(folder, name)).length).toBe(whole.length);
});

test('a module that has changed is compiled anew', async () => {
  const { folder, load } = moduleOf(SOURCE);
  await load();
  for (const other of [SOURCE.replace("'object'", "'OBJECT'"), 'exports.answer = () => "another";']) {
    writeFileSync(join(folder, 'large.cjs'), other);
    const fresh = await load({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(fresh).not.toBe(PRINTED);
    expect([await load(), await load()]).toEqual([fresh, fresh]);
  }
});

test('nothing is kept where that is turned off', async () => {
  const { folder, load } = moduleOf(SOURCE);
  expect(await load({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(PRINTED);
  expect(kept(folder)).toEqual([]);
});

test('a folder that cannot be written to is no hindrance', async () => {
  const { folder, load } = moduleOf(SOURCE);
  chmodSync(folder, 0o555);
  expect(await load()).toBe(PRINTED);
  chmodSync(folder, 0o755);
});
