// `install` and `uninstall`, beside what they do to the bytes of files.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { INSTALL_CLIENT_NAMES, type InstallClientName } from '../../src/config/options/install-options.ts';
import { applyPlannedChange, planInstall } from '../../src/install/change-config.ts';
import { INSTALL_CLIENTS, type Machine } from '../../src/install/clients.ts';
import { backupPath } from '../../src/install/config-file.ts';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { readBuiltProject } from '../../src/project/built-project.ts';
import { readMachine } from '../../src/cli/machine.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { type Desk, makeDesk } from './support.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await makeDesk();
});

function program(): string {
  return join(desk.cwd, 'pets/dist/main.js');
}

async function entryOf(client: InstallClientName, ...args: string[]): Promise<unknown> {
  const { stdout, stderr } = await desk.run(['install', 'pets', '--client', client, '--dry-run', ...args]);
  if (INSTALL_CLIENTS[client].format === 'toml') return stdout;
  if (stdout === '') throw new Error(stderr);
  const file = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
  return Object.values(file)[0]?.['petstore-mcp'];
}

test.each<[NodeJS.Platform, InstallClientName, string]>([
  ['darwin', 'claude-desktop', '/home/ada/Library/Application Support/Claude/claude_desktop_config.json'],
  ['win32', 'claude-desktop', '/roaming/Claude/claude_desktop_config.json'],
  ['linux', 'claude-desktop', '/home/ada/.config/Claude/claude_desktop_config.json'],
  ['darwin', 'vscode', '/home/ada/Library/Application Support/Code/User/mcp.json'],
  ['darwin', 'zed', '/home/ada/.config/zed/settings.json'],
  ['win32', 'zed', '/roaming/Zed/settings.json'],
  ['linux', 'codex', '/home/ada/.codex/config.toml'],
])('on %s the file of %s', (platform, client, path) => {
  const machine: Machine = { platform, home: '/home/ada', env: { APPDATA: '/roaming' }, node: 'node' };
  expect(INSTALL_CLIENTS[client].files.user?.(machine).replaceAll('\\', '/')).toBe(path);
});

test('an empty variable, or a relative path for applications, moves nothing into the working folder', () => {
  const env = { CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_CONFIG_HOME: 'configs', APPDATA: '' };
  const machine: Machine = { platform: 'linux', home: '/home/ada', env, node: 'node' };
  const find = (client: InstallClientName, on: Machine): string | undefined =>
    INSTALL_CLIENTS[client].files.user?.(on).replaceAll('\\', '/');
  expect(find('claude-code', machine)).toBe('/home/ada/.claude.json');
  expect(find('codex', machine)).toBe('/home/ada/.codex/config.toml');
  expect(find('vscode', machine)).toBe('/home/ada/.config/Code/User/mcp.json');
  const windows: Machine = { ...machine, platform: 'win32' };
  expect(find('zed', windows)).toBe('/home/ada/AppData/Roaming/Zed/settings.json');
  expect(readMachine({ env: { HOME: '' } }).home).toBe(homedir());
});

describe('what an entry starts', () => {
  test.each(INSTALL_CLIENT_NAMES)('%s, for the account: absolute paths', async (client) => {
    const entry = await entryOf(client);
    if (client === 'codex') expect(entry).toContain(`args = [ ${JSON.stringify(program())} ]`);
    else expect(entry).toMatchObject({ command: process.execPath, args: [program()] });
  });

  test.each<[InstallClientName, string]>([
    ['claude-code', '${CLAUDE_PROJECT_DIR:-.}/pets/dist/main.js'],
    ['vscode', '${workspaceFolder}/pets/dist/main.js'],
    ['cursor', '${workspaceFolder}/pets/dist/main.js'],
    ['gemini', 'pets/dist/main.js'],
    ['zed', 'pets/dist/main.js'],
  ])('%s, for a project: a path that holds on each machine', async (client, path) => {
    expect(await entryOf(client, '--scope', 'project')).toMatchObject({ command: 'node', args: [path] });
  });

  test.each<[InstallClientName, unknown]>([
    ['claude-code', { type: 'http', url: 'https://mcp.example.com/mcp' }],
    ['vscode', { type: 'http', url: 'https://mcp.example.com/mcp' }],
    ['cursor', { url: 'https://mcp.example.com/mcp' }],
    ['gemini', { httpUrl: 'https://mcp.example.com/mcp' }],
    ['windsurf', { serverUrl: 'https://mcp.example.com/mcp' }],
    ['zed', { url: 'https://mcp.example.com/mcp' }],
  ])('%s connects to a URL', async (client, entry) => {
    expect(await entryOf(client, '--url', 'https://mcp.example.com/mcp')).toEqual(entry);
  });

  test.each<[InstallClientName, object, object]>([
    ['cursor', { type: 'stdio', args: ['x'] }, { url: 'https://mcp.example.com/mcp', mine: 1 }],
    ['gemini', { type: 'stdio' }, { httpUrl: 'https://mcp.example.com/mcp', mine: 1 }],
  ])('%s: nothing of a program stays in an entry with a URL', async (client, own, remote) => {
    const path = desk.path(client);
    const servers = (): unknown => JSON.parse(desk.read(path) ?? '{}');
    const entry = { command: 'node', args: [program()], mine: 1 };
    desk.lay(path, JSON.stringify({ mcpServers: { 'petstore-mcp': { ...own, ...entry } } }));
    const args = ['install', 'pets', '--client', client, '--url', 'https://mcp.example.com/mcp'];
    await desk.run(args);
    expect(servers()).toEqual({ mcpServers: { 'petstore-mcp': remote } });
  });
});

describe('secrets', () => {
  const SECRET = 'sk-live-1234567890';
  const env = { API_KEY_SHOPKEY: SECRET };

  test.each<[InstallClientName, string]>([
    ['claude-code', '"API_KEY_SHOPKEY": "${API_KEY_SHOPKEY:-}"'],
    ['vscode', '"API_KEY_SHOPKEY": "${input:petstore-mcp-API_KEY_SHOPKEY}"'],
    ['cursor', '"API_KEY_SHOPKEY": "${env:API_KEY_SHOPKEY}"'],
    ['codex', 'env_vars = [ "API_KEY_SHOPKEY" ]'],
    ['gemini', '"API_KEY_SHOPKEY": "$API_KEY_SHOPKEY"'],
    ['windsurf', '"API_KEY_SHOPKEY": "${env:API_KEY_SHOPKEY}"'],
  ])('%s has a variable', async (client, words) => {
    const args = ['install', 'pets', '--client', client, '--env', 'API_KEY_SHOPKEY'];
    expect(await desk.run([...args], { env })).toMatchObject({ exitCode: 0 });
    const text = desk.read(desk.path(client)) ?? '';
    expect(text).toContain(words);
    expect(text).not.toContain(SECRET);
    await desk.run(['uninstall', 'pets', '--client', client]);
    expect(desk.read(desk.path(client))).not.toContain('petstore-mcp');
  });

  test.each<InstallClientName>(['claude-desktop', 'zed'])(
    '%s has none, so nothing is written',
    async (client) => {
      const args = ['install', 'pets', '--client', client, '--env', 'API_KEY_SHOPKEY'];
      const refused = await desk.run(args, { env });
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.stderr).toMatch(/client-without-variables: .*API_KEY_SHOPKEY/);
      expect(desk.read(desk.path(client))).toBeUndefined();
    },
  );

  test('a URL with a user is refused, and not shown', async () => {
    const args = ['install', 'pets', '--client', 'cursor', '--url', `https://ada:${SECRET}@mcp.example.com/`];
    const { exitCode, stdout, stderr } = await desk.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('would be written into the file of Cursor');
    expect(stdout + stderr).not.toContain(SECRET);
    expect(desk.read(desk.path('cursor'))).toBeUndefined();
  });

  test('inputs of VS Code are added once, and only ours go', async () => {
    const path = desk.path('vscode');
    const before =
      '{\n  "inputs": [\n    { "id": "mine", "type": "promptString" }\n  ],\n  "servers": {}\n}\n';
    desk.lay(path, before);
    const args = ['install', 'pets', '--client', 'vscode', '--env', 'API_KEY_SHOPKEY'];
    await desk.run(args);
    expect((await desk.run(args)).stdout).toContain('is in');
    expect(desk.read(path)?.match(/"id"/g)).toHaveLength(2);
    await desk.run(['uninstall', 'pets', '--client', 'vscode']);
    expect(JSON.parse(desk.read(path) ?? '')).toEqual(JSON.parse(before));
  });
});

describe('the surface', () => {
  function giveTools(count: number, hasSearch: boolean): void {
    const tools = Array.from({ length: count }, (_, at) => ({ name: `tool_${String(at)}` }));
    desk.lay(join(desk.cwd, 'pets/src/generated/catalog.json'), JSON.stringify({ tools }));
    if (hasSearch) desk.lay(join(desk.cwd, 'pets/src/generated/search.json'), '{}');
  }

  test.each<[InstallClientName, number, string[]]>([
    ['cursor', 40, []],
    ['cursor', 41, ['--surface', 'search']],
    ['windsurf', 101, ['--surface', 'search']],
    ['claude-desktop', 129, ['--surface', 'search']],
    ['claude-code', 500, []],
    ['vscode', 500, []],
  ])('%s with %i tools', async (client, count, surface) => {
    giveTools(count, true);
    expect(await entryOf(client)).toMatchObject({ args: [program(), ...surface] });
  });

  test('a server without the tools that search says how to get them', async () => {
    giveTools(41, false);
    const { exitCode, stderr } = await desk.run(['install', 'pets', '--client', 'cursor']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/client-takes-fewer-tools: Cursor takes at most 40 tools; the server lists 41/);
    expect(stderr).toContain('mcpgen generate pets --feature search');
  });
});

describe('names', () => {
  test('an entry of that name that starts something else stays', async () => {
    const path = desk.path('cursor');
    const before = '{ "mcpServers": { "petstore-mcp": { "command": "docker", "args": ["run"] } } }\n';
    desk.lay(path, before);
    for (const command of ['install', 'uninstall']) {
      const { exitCode, stderr } = await desk.run([command, 'pets', '--client', 'cursor']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('entry-of-another');
      expect(desk.read(path)).toBe(before);
    }
    await desk.run(['install', 'pets', '--client', 'cursor', '--force']);
    expect(desk.read(path)).toContain(JSON.stringify(program()));
    expect(desk.read(backupPath(path))).toBe(before);
  });

  const URL_OF_ANOTHER = 'https://other.example.com/mcp';
  test.each<[string, string[], boolean]>([
    ['another URL', [], false],
    ['another URL than --url says', ['--url', 'https://mcp.example.com/mcp'], false],
    ['the URL that --url says', ['--url', URL_OF_ANOTHER], true],
  ])('uninstall and an entry with %s', async (_, args, isRemoved) => {
    const path = desk.path('cursor');
    const before = JSON.stringify({ mcpServers: { mine: {}, 'petstore-mcp': { url: URL_OF_ANOTHER } } });
    desk.lay(path, before);
    const { exitCode, stderr } = await desk.run(['uninstall', 'pets', '--client', 'cursor', ...args]);
    expect(exitCode).toBe(isRemoved ? 0 : 2);
    expect(stderr.includes('entry-of-another')).toBe(!isRemoved);
    expect(JSON.parse(desk.read(path) ?? '')).toEqual(
      isRemoved ? { mcpServers: { mine: {} } } : JSON.parse(before),
    );
  });

  test('what a person has added to our entry stays', async () => {
    const path = desk.path('cursor');
    const entry = { command: 'node', args: [program()], env: { MINE: '1' }, disabled: true };
    desk.lay(path, JSON.stringify({ mcpServers: { 'petstore-mcp': entry } }, null, 4));
    const args = ['install', 'pets', '--client', 'cursor', '--env', 'API_KEY_SHOPKEY'];
    expect((await desk.run(args)).stdout).toContain('updated in');
    expect(JSON.parse(desk.read(path) ?? '')).toEqual({
      mcpServers: {
        'petstore-mcp': {
          command: process.execPath,
          args: [program()],
          env: { MINE: '1', API_KEY_SHOPKEY: '${env:API_KEY_SHOPKEY}' },
          disabled: true,
          type: 'stdio',
        },
      },
    });
  });
});

describe('files that are not changed', () => {
  test.each<[string, InstallClientName, string | Buffer, RegExp]>([
    [
      'a broken one',
      'cursor',
      '{\n  "mcpServers": {\n    "a": }\n}\n',
      /mcp\.json:3:10: it is no JSON \(value expected\)/,
    ],
    ['a list of servers', 'vscode', '{ "servers": [] }', /mcp\.json:1:14: "servers" is not an object/],
    ['broken TOML', 'codex', 'a = 1\nb = \n', /config\.toml:2:5: it is no TOML/],
    [
      'servers in one line of TOML',
      'codex',
      'mcp_servers = { other = { command = "x" } }\n',
      /as a table of its own/,
    ],
    ['another encoding', 'windsurf', Buffer.from([0x7b, 0xff, 0x7d]), /its text is not UTF-8/],
  ])('%s (%s)', async (_, client, before, words) => {
    const path = desk.path(client);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, before);
    const { exitCode, stderr } = await desk.run(['install', 'pets', '--client', client]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr).toContain('client-config-unfit');
    expect(readFileSync(path)).toEqual(Buffer.from(before));
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  test('if one of several cannot be changed, none is', async () => {
    desk.lay(desk.path('gemini'), '[]');
    expect(await desk.run(['install', 'pets', '--client', 'cursor,gemini'])).toMatchObject({ exitCode: 1 });
    expect(desk.read(desk.path('cursor'))).toBeUndefined();
  });

  test('one that has changed since it was read', async () => {
    const path = desk.path('cursor');
    desk.lay(path, '{}');
    const project = await readBuiltProject('pets', desk.cwd);
    if (project === undefined) throw new Error('There is no project.');
    const machine: Machine = { platform: 'linux', home: desk.home, env: {}, node: 'node' };
    const place = { client: 'cursor', scope: 'user', name: 'pets', replaces: false, cwd: desk.cwd } as const;
    const wish = { variables: [], options: [] };
    const change = planInstall(project, { ...place, machine, command: '' }, wish, new DiagnosticCollector());
    desk.lay(path, '{ "mcpServers": { "new": {} } }');
    await expect(applyPlannedChange(change)).rejects.toThrow('it changed while mcpgen was at work');
    expect(desk.read(path)).toBe('{ "mcpServers": { "new": {} } }');
    expect(readdirSync(dirname(path))).toEqual(['mcp.json']);
  });
});

describe('links and permissions', () => {
  test('the target of a link is changed, with its permissions', async () => {
    const path = desk.path('cursor');
    const target = join(desk.home, 'dotfiles/mcp.json');
    desk.lay(target, '{ "mcpServers": {} }\n');
    chmodSync(target, 0o640);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
    expect(await desk.run(['install', 'pets', '--client', 'cursor'])).toMatchObject({ exitCode: 0 });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(desk.read(target)).toContain('petstore-mcp');
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(statSync(backupPath(target)).mode & 0o777).toBe(0o640);
    await desk.run(['uninstall', 'pets', '--client', 'cursor']);
    expect(JSON.parse(desk.read(path) ?? '')).toEqual({ mcpServers: {} });
    expect(readdirSync(dirname(target))).toEqual(['mcp.json']);
  });

  test('a link of a repository does not lead out of it', async () => {
    const secret = join(desk.home, 'other.json');
    desk.lay(secret, '{}');
    symlinkSync(secret, join(desk.cwd, 'outside.json'));
    const inner = join(desk.cwd, 'work');
    mkdirSync(inner);
    symlinkSync(secret, join(inner, '.mcp.json'));
    const args = ['install', '../pets', '--client', 'claude-code', '--scope', 'project'];
    const { exitCode, stderr } = await desk.run(args, { cwd: inner });
    expect({ exitCode, isNamed: stderr.includes('outside of the project') }).toEqual({
      exitCode: 1,
      isNamed: true,
    });
    expect(desk.read(secret)).toBe('{}');

    symlinkSync(desk.home, join(inner, '.vscode'));
    const folder = await desk.run(['install', '../pets', '--client', 'vscode', '--scope', 'project'], {
      cwd: inner,
    });
    expect(folder).toMatchObject({ exitCode: 1 });
    expect(readdirSync(desk.home)).toEqual(['other.json']);
  });

  test('a link that leads nowhere, and a folder in the place of the file', async () => {
    mkdirSync(dirname(desk.path('cursor')), { recursive: true });
    symlinkSync(join(desk.home, 'gone.json'), desk.path('cursor'));
    expect((await desk.run(['install', 'pets', '--client', 'cursor'])).stderr).toContain('leads nowhere');
    mkdirSync(desk.path('gemini'), { recursive: true });
    expect((await desk.run(['install', 'pets', '--client', 'gemini'])).stderr).toContain('it is not a file');
  });
});

describe("Claude Code's own command", () => {
  /** Notes its arguments, and keeps entries as Claude Code does. */
  const CLAUDE = `#!${process.execPath}
const fs = require('node:fs');
const [, , ...args] = process.argv;
fs.appendFileSync(process.env.HOME + '/calls', JSON.stringify(args) + '\\n');
const file = process.env.HOME + '/.claude.json';
const state = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
state.mcpServers ??= {};
const [, verb, , scope, name, json] = args;
if (verb === 'remove') delete state.mcpServers[name];
else if (state.mcpServers[name]) { console.error('MCP server ' + name + ' already exists'); process.exit(1); }
else if (process.env.REFUSES && json.includes(process.env.REFUSES)) { console.error('Invalid configuration: no'); process.exit(1); }
else state.mcpServers[name] = JSON.parse(json);
fs.writeFileSync(file, JSON.stringify(state));
`;

  function putClaude(bin: string): string {
    desk.lay(join(bin, 'claude'), CLAUDE);
    chmodSync(join(bin, 'claude'), 0o755);
    return bin;
  }

  function withClaude(): { env: Record<string, string> } {
    const bin = putClaude(temporaryFolder());
    return { env: { PATH: ['/nowhere', bin].join(delimiter), HOME: desk.home } };
  }

  const calls = (): string[][] =>
    (desk.read(join(desk.home, 'calls')) ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);

  test('adds, replaces and removes', async () => {
    const on = withClaude();
    expect(await desk.run(['install', 'pets', '--client', 'claude-code'], on)).toMatchObject({ exitCode: 0 });
    const entry = { type: 'stdio', command: process.execPath, args: [program()] };
    expect(calls()).toEqual([['mcp', 'add-json', '--scope', 'user', 'petstore-mcp', JSON.stringify(entry)]]);
    expect((await desk.run(['install', 'pets', '--client', 'claude-code'], on)).stdout).toContain('is in');
    await desk.run(['install', 'pets', '--client', 'claude-code', '--', '--read-only'], on);
    await desk.run(['uninstall', 'pets', '--client', 'claude-code'], on);
    expect(calls().map(([, verb]) => verb)).toEqual(['add-json', 'remove', 'add-json', 'remove']);
    expect(desk.read(desk.path('claude-code'))).toBe('{"mcpServers":{}}');
    expect(desk.read(backupPath(desk.path('claude-code')))).toBeUndefined();
  });

  test('what it refuses is said, and the entry before comes back', async () => {
    const { env } = withClaude();
    await desk.run(['install', 'pets', '--client', 'claude-code'], { env });
    const before = desk.read(desk.path('claude-code'));
    const args = ['install', 'pets', '--client', 'claude-code', '--', '--read-only'];
    const { exitCode, stderr } = await desk.run(args, { env: { ...env, REFUSES: '--read-only' } });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /client-command-failed: `claude mcp add-json` failed: Invalid configuration: no\./,
    );
    expect(desk.read(desk.path('claude-code'))).toBe(before);
  });

  test('values of an entry are no words of a command, which other users see', async () => {
    const on = withClaude();
    const path = desk.path('claude-code');
    const entry = { command: 'node', args: [program()], env: { API_KEY_SHOPKEY: 'sk-live-1234567890' } };
    desk.lay(path, JSON.stringify({ mcpServers: { 'petstore-mcp': entry } }));
    const args = ['install', 'pets', '--client', 'claude-code'];
    const { exitCode, stdout, stderr } = await desk.run([...args, '--', '--read-only'], on);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/client-may-rewrite: The entry has values/);
    expect(stdout + stderr).not.toContain('sk-live');
    expect(desk.read(path)).toContain('--read-only');
    await desk.run([...args, '--env', 'API_KEY_SHOPKEY'], on);
    expect(desk.read(join(desk.home, 'calls'))).toBeUndefined();
    await desk.run([...args, '--env', 'API_KEY_SHOPKEY', '--', '--read-only'], on);
    expect(calls().map(([, verb]) => verb)).toEqual(['remove', 'add-json']);
    expect(desk.read(join(desk.home, 'calls'))).not.toContain('sk-live');
  });

  test.each(['node_modules/.bin', 'bin', 'pets/bin'])('none in %s of the working folder', async (place) => {
    const bin = putClaude(join(desk.cwd, place));
    const env = { PATH: [bin, place].join(delimiter), HOME: desk.home };
    const { exitCode, stderr } = await desk.run(['install', 'pets', '--client', 'claude-code'], { env });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/client-may-rewrite: `claude` was not found in PATH/);
    expect(desk.read(join(desk.home, 'calls'))).toBeUndefined();
    await desk.run(['uninstall', 'pets', '--client', 'claude-code'], { env });
    expect(desk.read(join(desk.home, 'calls'))).toBeUndefined();
  });

  test('the file of a project is changed without it', async () => {
    await desk.run(['install', 'pets', '--client', 'claude-code', '--scope', 'project'], withClaude());
    expect(desk.read(join(desk.home, 'calls'))).toBeUndefined();
  });
});

describe('wrong usage', () => {
  test.each<[string, string[], string]>([
    ['no project', ['install', 'home', '--client', 'cursor'], 'not-a-project'],
    ['no client', ['install', 'pets'], 'no client is named'],
    [
      'no scope of a project',
      ['install', 'pets', '--client', 'windsurf', '--scope', 'project'],
      'has only the scope user',
    ],
    ['a client that is none', ['install', 'pets', '--client', 'emacs'], 'invalid-option'],
    [
      'a URL where none fits',
      ['install', 'pets', '--client', 'claude-desktop', '--url', 'https://a.example'],
      'invalid-usage',
    ],
    [
      'a URL with variables',
      ['install', 'pets', '--client', 'zed', '--url', 'https://a.example', '--env', 'A'],
      'invalid-usage',
    ],
  ])('%s', async (_, args, name) => {
    const { exitCode, stderr } = await desk.run(args);
    expect({ exitCode, isNamed: stderr.includes(name) }).toEqual({ exitCode: 2, isNamed: true });
  });

  test.each<[string, object, string]>([
    ['a command that is an option', { bin: { '--scope': 'dist/main.js' } }, 'invalid-option'],
  ])('%s in package.json', async (_, members, name) => {
    const manifest = join(desk.cwd, 'pets/package.json');
    writeFileSync(
      manifest,
      JSON.stringify({ ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), ...members }),
    );
    for (const command of ['install', 'uninstall']) {
      const { exitCode, stderr } = await desk.run([command, 'pets', '--client', 'claude-code']);
      expect({ exitCode, isNamed: stderr.includes(name) }).toEqual({ exitCode: 2, isNamed: true });
    }
  });
});

describe('the project that a configuration puts elsewhere', () => {
  const JSON_CONFIG = JSON.stringify({ source: '../fixture.yaml', output: '../pets' });
  const args = ['--client', 'cursor'];
  beforeEach(() => desk.lay(join(desk.cwd, 'package.json'), '{}'));

  test.each([
    ['mcpgen.config.json', JSON_CONFIG],
    ['mcpgen.config.mjs', `export default ${JSON_CONFIG};`],
  ])('%s', async (name, text) => {
    desk.lay(join(desk.cwd, 'settings', name), text);
    for (const dir of ['settings', `settings/${name}`]) {
      expect((await desk.run(['install', dir, ...args])).stdout).toContain('petstore-mcp added to');
      expect(desk.read(desk.path('cursor'))).toContain(JSON.stringify(program()));
      expect((await desk.run(['uninstall', dir, ...args])).stdout).toContain('petstore-mcp removed from');
    }
  });

  test.each<[string, object, string[], string]>([
    ['several servers', { servers: { a: { output: '../pets' }, b: {} } }, [], 'unknown-server'],
    ['nothing written yet', { output: 'later' }, [], 'settings/later is not the folder of a project'],
    ['code that may not run', { output: '../pets' }, ['--no-code'], 'code-refused'],
    ['a folder outside of the repository', { output: '../../../outside' }, [], '--allow-output'],
  ])('%s', async (_, config, more, words) => {
    const code = more.length > 0;
    const text = JSON.stringify({ source: '../fixture.yaml', ...config });
    desk.lay(
      join(desk.cwd, 'settings', code ? 'mcpgen.config.mjs' : 'mcpgen.config.json'),
      code ? `export default ${text};` : text,
    );
    const { exitCode, stderr } = await desk.run(['install', 'settings', ...args, ...more]);
    expect(stderr).toContain(words);
    expect(exitCode).not.toBe(0);
    expect(desk.read(desk.path('cursor'))).toBeUndefined();
  });
});

test('an edit between two installations is kept beside the file, and stays after uninstall', async () => {
  const path = desk.path('cursor');
  const args = ['pets', '--client', 'cursor'];
  desk.lay(path, '{ "mcpServers": { "other": {} } }\n');
  await desk.run(['install', ...args]);
  const edited = desk.read(path)?.replace('"mcpServers"', '"mine": 1, "mcpServers"');
  desk.lay(path, edited);
  await desk.run(['install', ...args, '--', '--mock']);
  expect(desk.read(backupPath(path))).toBe(edited);
  await desk.run(['uninstall', ...args]);
  expect(JSON.parse(desk.read(path) ?? '')).toEqual({ mine: 1, mcpServers: { other: {} } });
});
