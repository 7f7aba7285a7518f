import { expect, test } from 'vitest';
import { describeBug, renderBug } from '../../src/cli/bug.ts';
import { packageRoot, version } from '../../src/util/version.ts';
import { runInProcess } from './support/fake-host.ts';

const broken = {
  now: () => {
    throw new TypeError('boom');
  },
};

test('a bug of ours ends with 70 and everything a report needs', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['openapi', 'secret-name.yaml'], broken);
  expect({ exitCode, stdout }).toEqual({ exitCode: 70, stdout: '' });
  expect(stderr).toContain('mcpgen failed because of a bug.\n');
  expect(stderr).toContain(`mcpgen ${version} · node ${process.version}`);
  expect(stderr).toContain('command: openapi\nTypeError: boom\n    at ');
});

test('a bug report tells nothing of the machine', async () => {
  const { stderr } = await runInProcess(['openapi', 'secret-name.yaml'], broken);
  expect(stderr).not.toContain('secret-name');
  expect(stderr).not.toContain(decodeURIComponent(packageRoot().pathname));
});

test('with --json a bug is still one JSON document', async () => {
  const { exitCode, stdout } = await runInProcess(['openapi', 'a.yaml', '--json'], broken);
  expect(exitCode).toBe(70);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    exitCode: 70,
    diagnostics: [],
    bug: { message: 'TypeError: boom', mcpgen: version, command: 'openapi' },
  });
});

test('what is thrown need not be an error, and drives no terminal', () => {
  expect(renderBug(describeBug('odd \x1b[2J', 'serve'))).toContain('odd \\x1b[2J');
});
