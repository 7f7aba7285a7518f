// One configuration owns a project: its lock names it, and every command that changes the project changes that file or nothing.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Said, runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const petstore = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));

function folder(files: Record<string, string> = {}): string {
  const cwd = temporaryFolder();
  copyFileSync(petstore, join(cwd, 'petstore.yaml'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  return cwd;
}

function run(line: string, cwd: string): Promise<Said> {
  return runInProcess(line.split(' '), { cwd });
}

async function runAll(lines: readonly string[], cwd: string): Promise<void> {
  for (const line of lines) {
    const { exitCode, stderr } = await run(line, cwd);
    expect(exitCode, `${line}\n${stderr}`).toBe(0);
  }
}

const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8');

const OUTER = '{\n  // The pets.\n  "output": "petstore-mcp",\n  "source": "petstore.yaml"\n}\n';

test('files for publishing stay when the configuration above generates again', async () => {
  const cwd = folder({ 'mcpgen.config.json': OUTER });
  await runAll(['generate', 'publish init docker petstore-mcp', 'check petstore-mcp', 'check'], cwd);
  expect(read(cwd, 'mcpgen.config.json')).toBe(
    OUTER.replace('petstore.yaml"\n', 'petstore.yaml",\n  "publish": [\n    "docker"\n  ]\n'),
  );
  await runAll(['generate', 'generate petstore-mcp'], cwd);
  expect(existsSync(join(cwd, 'petstore-mcp/Dockerfile'))).toBe(true);
  expect(existsSync(join(cwd, 'petstore-mcp/compose.yaml'))).toBe(true);
});

test('a feature that was added inside the project stays when the configuration above generates again', async () => {
  const cwd = folder({ 'mcpgen.config.json': OUTER });
  await runAll(['generate'], cwd);
  await runAll(['generate --feature ask'], join(cwd, 'petstore-mcp'));
  await runAll(['check petstore-mcp', 'check', 'generate'], cwd);
  expect(read(cwd, 'petstore-mcp/src/server.ts')).toContain('ask:');
});
