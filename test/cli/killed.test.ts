// `kill -9` in the middle of a run: `check` says so and repairs nothing; the next run undoes it, and says so.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const killer = new URL('support/kill-at.mjs', import.meta.url).href;
const base = temporaryFolder();
const changed = ['generate', 'out', '--force', '--json'];

beforeAll(async () => {
  const cwd = join(base, 'start');
  cpSync(join(fixtures, 'petstore.yaml'), join(cwd, 'petstore.yaml'));
  await mcpgen(['openapi', 'petstore.yaml', '-o', 'out'], { cwd });
  const document = readFileSync(join(cwd, 'petstore.yaml'), 'utf8');
  writeFileSync(join(cwd, 'petstore.yaml'), document.replaceAll('listPets', 'findPets'));
  writeFileSync(join(cwd, 'out/README.md'), 'my own words\n');
  await mcpgen(changed, { cwd: folder('complete') });
});

function folder(name: string): string {
  const cwd = join(base, name);
  cpSync(join(base, 'start'), cwd, { recursive: true });
  return cwd;
}

function filesOf(cwd: string): Record<string, string> {
  const entries = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(cwd.length + 1), readFileSync(path, 'utf8')]).sort(),
  );
}

function namesIn(stdout: string): string[] {
  const { diagnostics }: { diagnostics: { name: string }[] } = JSON.parse(stdout);
  return diagnostics.map(({ name }) => name);
}

/** The first rename puts the journal in place, those after it change the project. */
test.each([
  { at: 1, problems: [] },
  { at: 2, problems: ['run-undone'] },
  { at: 4, problems: ['run-undone'] },
])('at rename $at', async ({ at, problems }) => {
  const cwd = folder(`at-${String(at)}`);
  const env = { KILL_AT: String(at), NODE_OPTIONS: `--import ${killer}` };
  expect((await mcpgen(changed, { cwd, env })).exitCode).toBe(null);
  const killed = filesOf(cwd);
  const found = namesIn((await mcpgen(['check', 'out', '--json'], { cwd })).stdout);
  expect(found).toContain('leftover-found');
  // A check repairs nothing.
  expect(filesOf(cwd)).toEqual(killed);
  const again = await mcpgen(changed, { cwd });
  expect(again.exitCode).toBe(0);
  expect(namesIn(again.stdout).filter((name) => name === 'run-undone')).toEqual(problems);
  expect(filesOf(cwd)).toEqual(filesOf(join(base, 'complete')));
});
