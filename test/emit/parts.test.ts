// A project carries the parts of the runtime that it uses, and no others; nothing that it carries misses a module.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { generate, type GenerateOptions } from '../../src/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

const functions = 'typescript/weather/src/index.ts';

const kinds = {
  document: { source: 'petstore.yaml' },
  'document, OAuth': { source: 'petstore.yaml', auth: 'oauth' },
  functions: { source: 'weather', typescript: { files: [functions] } },
  'functions, OAuth': { source: 'weather', typescript: { files: [functions] }, auth: 'oauth' },
  both: { source: 'both', sources: [{ openapi: 'petstore.yaml' }, { typescript: functions }] },
} satisfies Record<string, GenerateOptions>;

/** Path → text of what stands in `src/runtime/` and `dist/runtime/`. */
async function runtimeOf(kind: keyof typeof kinds): Promise<Map<string, string>> {
  const dir = temporaryFolder();
  const { ok } = await generate({ ...kinds[kind], cwd: join(repositoryRoot, 'fixtures'), dir });
  expect(ok).toBe(true);
  const paths = ['src/runtime', 'dist/runtime'].flatMap((folder) =>
    readdirSync(join(dir, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[jt]s$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(dir, path), 'utf8')]));
}

const callsApi = 'src/runtime/upstream/upstream-client.ts';
const asksIssuers = 'src/runtime/upstream/send.ts';
const callsFunctions = 'src/runtime/functions/index.ts';
const builtClient = 'dist/runtime/core/call-api.js';

test.each<[keyof typeof kinds, string[]]>([
  ['document', [asksIssuers, callsApi, builtClient]],
  ['document, OAuth', [asksIssuers, callsApi, builtClient]],
  ['functions', [callsFunctions]],
  ['functions, OAuth', [callsFunctions, asksIssuers]],
  ['both', [callsFunctions, asksIssuers, callsApi, builtClient]],
])('%s: %j, and all that they import', async (kind, want) => {
  const files = await runtimeOf(kind);
  const parts = [callsFunctions, asksIssuers, callsApi, builtClient];
  expect(parts.filter((path) => files.has(path))).toEqual(want);
  const missing = [...files].flatMap(([path, text]) =>
    importsOf(text)
      .map((name) => posix.join(dirname(path), name))
      .filter((target) => !files.has(target))
      .map((target) => `${path} → ${target}`),
  );
  expect(missing).toEqual([]);
});

function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+\.[jt]s)['"]/g)].map(
    ([, name]) => name ?? '',
  );
}

test('functions have nothing of the client of an API', async () => {
  const files = await runtimeOf('functions');
  expect([...files.keys()].filter((path) => path.includes('/upstream/'))).toEqual([]);
});
