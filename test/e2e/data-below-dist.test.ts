/** What a server writes below `dist/` survives `npm run build` and `mcpgen generate`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { linkPackages } from '../../scripts/lib/link-packages.mjs';
import { mcpgenHere } from './support/command.ts';
import { folderForTest, linkTypes } from './support/project.ts';

const memory = `import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, 'memory.jsonl');

/**
 * Remembers a sentence.
 * @tool
 */
export function remember(sentence: string): string {
  appendFileSync(file, JSON.stringify(sentence) + '\\n');
  return readFileSync(file, 'utf8');
}
`;

test('data of a server below dist/ survives builds and generate', { timeout: 300_000 }, async () => {
  const folder = await folderForTest();
  const project = path.join(folder, 'server');
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const build = (): void => {
    const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: project, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  };
  const generate = async (): Promise<string> => {
    const { code, stderr } = await mcpgenHere(['generate', 'server'], { cwd: folder });
    expect(code, stderr).toBe(0);
    return stderr;
  };
  put('package.json', '{ "name": "memory", "type": "module" }');
  linkPackages(folder);
  put('src/index.ts', memory);
  put('src/memory.jsonl', '"the seed"\n');
  const { code, stderr } = await mcpgenHere(['ts', 'src/index.ts', '-o', 'server'], { cwd: folder });
  expect(code, stderr).toBe(0);
  await linkTypes(project);
  const data = {
    'dist/app/memory.jsonl': '"the seed"\n"a call"\n',
    'dist/app/other.jsonl': '1\n',
    'dist/handlers/cache/state.json': '{}\n',
    'dist/runtime/pages.db': 'db\n',
    'dist/test/results.txt': 'ok\n',
    'dist/uploads/photo.js': 'no module of the server\n',
  };
  for (const [file, text] of Object.entries(data)) put(`server/${file}`, text);
  const readData = (): Record<string, string> =>
    Object.fromEntries(
      Object.keys(data).map((file) => [file, readFileSync(path.join(project, file), 'utf8')]),
    );

  put('server/src/mine/once.ts', 'export const once = 1;\n');
  build();
  expect(readData()).toEqual(data);
  expect(existsSync(path.join(project, 'dist/mine/once.js'))).toBe(true);

  expect(await generate()).toMatch(/built-data-kept: dist\/app\/memory\.jsonl/);
  expect(readData()).toEqual(data);
  expect(existsSync(path.join(project, 'dist/mine/once.js'))).toBe(true);

  put('src/memory.jsonl', '"another seed"\n');
  await generate();
  expect(readData()).toEqual(data);
});
