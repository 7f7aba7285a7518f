// Ctrl-C: the command ends with 130, and the target is as it was or complete, never in between.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { httpServer } from '../support/loopback.ts';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const cwd = temporaryFolder();
cpSync(join(fixtures, 'shop.yaml'), join(cwd, 'shop.yaml'));

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

test.each([{ flags: [] }, { flags: ['--json'] }])(
  'while standard input is being read $flags',
  async ({ flags }) => {
    const { exitCode, stdout } = await mcpgen(['openapi', '-', '-o', 'out', ...flags], {
      cwd,
      meanwhile: ({ stdin }) => void stdin?.write('openapi: 3.1.0\n'),
      interruptAfter: 1500,
    });
    expect(exitCode).toBe(130);
    if (flags.length > 0) expect(JSON.parse(stdout)).toMatchObject({ ok: false, exitCode: 130 });
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  },
);

test.each([150, 300, 450, 600, 900])('after %i ms of compiling', async (delay) => {
  const dir = `shop-${delay}`;
  const { exitCode } = await mcpgen(['openapi', 'shop.yaml', '-o', dir], { cwd, interruptAfter: delay });
  // No exit code: the signal came before the command could listen, or when it had said all and was going.
  expect([null, 130, 0]).toContain(exitCode);
  const complete = existsSync(join(cwd, dir, 'mcpgen.lock'));
  if (exitCode !== null) expect(complete).toBe(exitCode === 0);
  if (complete) expect((await mcpgen(['check', dir], { cwd })).exitCode).toBe(0);
  else expect(readdirSync(cwd).filter((name) => name.includes(dir))).toEqual([]);
});
