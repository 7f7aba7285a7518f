// `mcpgen preview` as a command: the address it prints, its end, and wrong usage.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Output } from '../../src/cli/host.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

test('prints the address, serves until Ctrl-C, and writes nothing', async () => {
  const cwd = temporaryFolder();
  copyFileSync('fixtures/petstore.yaml', join(cwd, 'petstore.yaml'));
  const stop = new AbortController();
  let stdout = '';
  const write: Output['write'] = (text) => void (stdout += text);
  const running = runInProcess(['preview', 'petstore.yaml'], {
    ...{ cwd, signal: stop.signal },
    stdout: { write, isTTY: false, paint: (_style, text) => text },
  });
  await expect.poll(() => stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/);
  const address = stdout.trim();
  expect(await (await fetch(address)).text()).toContain('<title>mcpgen preview</title>');
  stop.abort();
  const { exitCode, stderr } = await running;
  expect(exitCode).toBe(0);
  expect(stderr).toContain('The address works once');
  await expect(fetch(address)).rejects.toThrow();
  expect(readdirSync(cwd)).toEqual(['petstore.yaml']);
});

test.each([
  [['-'], 'standard input is read once'],
  [['.'], 'mcpgen.config'],
])('%j ends with exit code 2', async (args, problem) => {
  const cwd = temporaryFolder();
  copyFileSync('fixtures/petstore.yaml', join(cwd, 'petstore.yaml'));
  const { exitCode, stderr, stdout } = await runInProcess(['preview', ...args], { cwd });
  expect(stderr.toLowerCase()).toContain(problem.toLowerCase());
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
});

test.each([[['nope.yaml'], 'MCPG101 source-not-found: The file nope.yaml does not exist.']])(
  '%j, which is not there, is said in the terminal',
  async (args, problem) => {
    const { exitCode, stderr, stdout } = await runInProcess(['preview', ...args], {
      cwd: temporaryFolder(),
    });
    expect(stderr).toContain(problem);
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
  },
);
