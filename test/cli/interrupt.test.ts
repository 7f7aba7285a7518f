// Ctrl-C: the command ends with 130, and nothing is written; test/write/faults.test.ts interrupts each change.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpServer } from '../support/loopback.ts';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const cwd = temporaryFolder();

test('while a URL is being read', async () => {
  let asked: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (asked = resolve));
  const { url, close } = await httpServer(() => asked());
  const { exitCode, stdout, stderr } = await mcpgen(['openapi', `${url}/openapi.json`, '-o', 'out'], {
    cwd,
    meanwhile: (child) => void begun.then(() => child.kill('SIGINT')),
  });
  await close();
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 130,
    stdout: '',
    stderr: 'Stopped. Nothing was changed.\n',
  });
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});

test('while standard input is being read', async () => {
  const { exitCode, stdout } = await mcpgen(['openapi', '-', '-o', 'out', '--json'], {
    cwd,
    meanwhile: ({ stdin }) => void stdin?.write('openapi: 3.1.0\n'),
    interruptAfter: 1500,
  });
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, exitCode: 130 });
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});
