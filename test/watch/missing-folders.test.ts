// Folders that do not exist when a run looks for them: they are noticed when they come.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import { watchFiles } from '../../src/watch/watch.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'All' } } } } },
};
const skill = '---\nname: refunds\ndescription: Gives money back.\n---\n\n# Refunds\n';

test.each<[string, Partial<CompileOptions>, string]>([
  ['skills beside a document', { source: 'pets.json' }, 'skills/refunds/SKILL.md'],
  ['skills that an option names', { source: 'pets.json', skills: 'a/b' }, 'a/b/refunds/SKILL.md'],
  [
    'skills beside functions',
    { source: '', typescript: { files: ['src/*.ts'] } },
    'src/skills/refunds/SKILL.md',
  ],
])('%s', { timeout: 30_000 }, async (_what, options, file) => {
  const cwd = mkdtempSync(join(tmpdir(), 'mcpgen-watch-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const place = (path: string, text: string): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  place('pets.json', JSON.stringify(document));
  place('src/a.ts', '/** Adds. @tool */\nexport const add = (): string => "x";\n');
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const rounds: { changed: string[]; skills: number }[] = [];
  await watchFiles(
    async ({ changed, observer }) => {
      const { model, diagnostics } = await compile({ source: '', ...options, cwd, observer });
      rounds.push({
        changed: changed.map((path) => relative(cwd, path)),
        skills: model?.skills?.entries.length ?? 0,
      });
      if (rounds.length === 2) return 'end';
      setTimeout(() => place(file, skill), 50);
      return !diagnostics.some(({ severity }) => severity === 'error');
    },
    AbortSignal.any([ending.signal, AbortSignal.timeout(25_000)]),
  );
  expect(rounds).toEqual([
    { changed: [], skills: 0 },
    { changed: [file], skills: 1 },
  ]);
});
