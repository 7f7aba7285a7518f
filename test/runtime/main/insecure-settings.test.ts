// Settings that remove a server's protection are reported at its start.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSettings } from '../../../templates/runtime/main/settings.ts';
import { allFeatures as features } from '../../../templates/runtime/all-features.ts';
import { listInsecureSettings } from '../../../templates/runtime/main/run.ts';
import { startProject, type TestProject, writeProject } from './project.ts';

type Flags = Record<string, string[]>;

const http = { transport: ['http'] };
const open = { ...http, host: ['0.0.0.0'] };

test.each<[string, Flags, Record<string, string>, RegExp[]]>([
  ['nothing, over stdio', {}, {}, []],
  ['nothing, over HTTP', http, {}, []],
  ['nothing, for others', open, {}, []],
  ['proxies that are one network', open, { MCP_TRUSTED_PROXIES: '10.0.0.0/8' }, []],
  ['everybody a proxy', http, { MCP_TRUSTED_PROXIES: '0.0.0.0/0' }, [/^0\.0\.0\.0\/0 is trusted as a proxy/]],
  ['the same, by flags', { ...http, 'trusted-proxy': ['::/0', '10.0.0.1'] }, {}, [/^::\/0 is trusted/]],
  ['bounds off, on this machine', { ...http, 'rate-limit': ['off'], connections: ['off'] }, {}, []],
  ['bounds off over stdio', {}, { MCP_RATE_LIMIT: 'off' }, []],
  [
    'bounds off, for others',
    open,
    { MCP_RATE_LIMIT: 'off', MCP_CONNECTIONS: 'off' },
    [/^Calls are not limited .* bound to 0\.0\.0\.0/, /^Connections are not limited .* bound to 0\.0\.0\.0/],
  ],
  ['a folder of files', {}, { MCP_FILES_ROOT: import.meta.dirname }, []],
  ['every file', {}, { MCP_FILES_ROOT: '/' }, [/^--files is \/: calls may send every file/]],
  ['every file, spelled otherwise', { files: ['/../'] }, {}, [/^--files is \//]],
])('%s', async (_, flags, env, want) => {
  const settings = await parseSettings(new Map(Object.entries(flags)), env, { features });
  const told = await listInsecureSettings(settings, features);
  expect(told).toEqual(want.map((words) => expect.stringMatching(words) as unknown));
});

test.each(['*', 'null', 'https://*', 'https://*.example.com', 'http://*:80'])(
  'MCP_ALLOWED_ORIGINS=%s is refused',
  async (value) => {
    await expect(parseSettings(new Map(), { MCP_ALLOWED_ORIGINS: value })).rejects.toThrow(
      `MCP_ALLOWED_ORIGINS must hold origins such as https://app.example, separated by commas, not ${value}.`,
    );
  },
);

test.each(['*', '*.example.com'])('MCP_ALLOWED_HOSTS=%s is refused', async (value) => {
  await expect(
    parseSettings(new Map(Object.entries(http)), { MCP_ALLOWED_HOSTS: value }, { features }),
  ).rejects.toThrow('MCP_ALLOWED_HOSTS must hold names without ports');
});

let project: TestProject;
beforeAll(() => void (project = writeProject({})));
afterAll(() => project.remove());

test('over HTTP it is told when the server serves', async () => {
  const { child, output, exit } = startProject(project, ['--transport', 'http', '--port', '0'], {
    MCP_TRUSTED_PROXIES: '0.0.0.0/0',
  });
  await expect
    .poll(() => output.stderr, { timeout: 10_000 })
    .toContain('pets: warning: 0.0.0.0/0 is trusted as a proxy');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});

const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;

test('over stdio too, after the first answer, unless warnings are not wanted', async () => {
  const loud = startProject(project, ['--files', '/']);
  loud.child.stdin.write(ping);
  await expect
    .poll(() => loud.output.stderr, { timeout: 10_000 })
    .toContain('pets: warning: --files is /: calls may send every file');
  loud.child.stdin.end();
  const quiet = startProject(project, ['--files', '/', '--log-level', 'error']);
  quiet.child.stdin.end(ping);
  expect([await loud.exit, await quiet.exit, quiet.output.stderr]).toEqual([0, 0, '']);
});
