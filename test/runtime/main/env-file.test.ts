// Where variables are read from: the file beside package.json or the one that is chosen, never one of the working folder.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, afterAll, expect, test } from 'vitest';
import { startProject, type TestProject, writeProject } from './project.ts';

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'variables', arguments: {} } };

let project: TestProject;
/** Where a client starts the server. */
let workspace: string;
beforeAll(() => {
  project = writeProject({
    bindings: {
      upstream: {
        servers: [{ url: 'https://pets.example' }],
        securitySchemes: { shop: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'SHOP_KEY' } } },
      },
    },
    handlers: `(() => {
      const names = ['EARLY', 'ONE', 'TWO', 'REAL', 'toString', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'LD_PRELOAD', 'Path', 'MCP_DOTENV', 'MCP_AUDIT', 'MCP_FILES_ROOT', 'TLS_CERT_SHOP', 'TLS_KEY_SHOP'];
      const early = process.env.ONE;
      const read = () => [early, ...names.slice(1).map((name) => Object.hasOwn(process.env, name) ? process.env[name] : undefined)];
      const handler = () => JSON.stringify(Object.fromEntries(read().map((value, at) => [names[at], value])));
      return { extraTools: [{ name: 'variables', inputSchema: { type: 'object' }, handler }] };
    })()`,
  });
});
afterAll(() => project.remove());
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-workspace-')));
});
afterEach(() => {
  rmSync(join(project.dir, '.env'), { recursive: true, force: true });
  rmSync(workspace, { recursive: true });
});

/** Environment that the server's own code sees. */
async function variablesAt(
  cwd: string,
  {
    args = [],
    env = {},
    from = project,
  }: { args?: string[]; env?: NodeJS.ProcessEnv; from?: TestProject } = {},
) {
  const { child, output, exit } = startProject(from, args, env, cwd);
  child.stdin.end([hello, call].map((message) => `${JSON.stringify(message)}\n`).join(''));
  const code = await exit;
  const answers = output.stdout.split('\n').filter((line) => line !== '');
  const last = JSON.parse(answers.at(-1) ?? '{}') as { result?: { content?: { text: string }[] } };
  const found = JSON.parse(last.result?.content?.[0]?.text ?? '{}') as Record<string, string>;
  return { code, stderr: output.stderr, found };
}

test('the one beside package.json is read wherever the server is started, and the real environment wins', async () => {
  writeFileSync(join(project.dir, '.env'), '\uFEFFexport ONE="from the file" # so\nREAL=file\ntoString=x\n');
  for (const cwd of [project.dir, workspace]) {
    const { found, stderr } = await variablesAt(cwd, { env: { REAL: 'real' } });
    expect(found).toEqual({ EARLY: 'from the file', ONE: 'from the file', REAL: 'real', toString: 'x' });
    expect(stderr).toBe(`pets: variables are also read from ${join(realpathSync(project.dir), '.env')}\n`);
  }
});

test('an empty variable of the environment, as clients give an unset one, counts as unset', async () => {
  writeFileSync(join(project.dir, '.env'), 'ONE=file\n');
  const { found } = await variablesAt(workspace, { env: { ONE: '', TWO: '' } });
  expect(found).toEqual({ EARLY: 'file', ONE: 'file', TWO: '' });
});

/** As the server names it: by its whole path, since a relative one would be another file in the next folder. */
function unread(): string {
  return join(realpathSync(workspace), '.env');
}

test('the one of the working folder is not, and stderr says so with names that this server knows', async () => {
  const text =
    'API_BASE_URL=https://evil.example\nhttps_proxy=http://evil.example\nSHOP_KEY=secret-1\nONE=secret-2\n';
  writeFileSync(join(workspace, '.env'), `${text}NODE_EXTRA_CA_CERTS=/x\n\u001b[2J=1\n`);
  const { code, found, stderr } = await variablesAt(workspace);
  expect([code, found]).toEqual([0, {}]);
  expect(stderr).toBe(
    `pets: warning: ${unread()} is not read: it is in the folder that this server was started in, which may be anyone's. It ` +
      'sets API_BASE_URL, SHOP_KEY, HTTPS_PROXY, which this server reads. If you wrote the file for this server, start the ' +
      `server with --dotenv "${unread()}", or set MCP_DOTENV to that path.\n`,
  );
});

test('where the project has one too, that is read and the other is told', async () => {
  writeFileSync(join(project.dir, '.env'), 'ONE=mine\n');
  writeFileSync(join(workspace, '.env'), 'ONE=theirs\nTWO=theirs\n');
  const { found, stderr } = await variablesAt(workspace);
  expect(found).toEqual({ EARLY: 'mine', ONE: 'mine' });
  expect(stderr).toMatch(/^pets: variables are also read from .*\npets: warning: .*\.env is not read/);
  expect(stderr).toContain(unread());
  expect(stderr).not.toContain('TWO');
});

test('an empty MCP_DOTENV names no file', async () => {
  writeFileSync(join(project.dir, '.env'), 'ONE=mine\n');
  const { code, found } = await variablesAt(workspace, { env: { MCP_DOTENV: '' } });
  expect([code, found]).toEqual([0, { EARLY: 'mine', ONE: 'mine', MCP_DOTENV: '' }]);
});

test('a link to the one that was read is no other', async () => {
  writeFileSync(join(project.dir, '.env'), 'ONE=mine\n');
  symlinkSync(join(project.dir, '.env'), join(workspace, '.env'));
  expect((await variablesAt(workspace)).stderr).not.toContain('not read');
});

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a link to a device without end', (path: string) => symlinkSync('/dev/zero', path)],
  ['a huge file', (path: string) => writeFileSync(path, `ONE=${'x'.repeat(300_000)}\n`)],
])('in the working folder %s does no harm', async (_, make) => {
  make(join(workspace, '.env'));
  const { code, found, stderr } = await variablesAt(workspace);
  expect([code, found]).toEqual([0, {}]);
  expect(stderr).toContain(`${unread()} is not read`);
  expect(stderr).toContain("which may be anyone's. If you wrote");
});

test.each([
  ['a folder', (path: string) => mkdirSync(path), 'it is no regular file'],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is no regular file'],
  [
    'a huge file',
    (path: string) => writeFileSync(path, `A=${'x'.repeat(300_000)}`),
    'it has more than 262144 bytes',
  ],
  [
    'no text',
    (path: string) => writeFileSync(path, Buffer.from('A=1\n', 'utf16le')),
    'it is not text in UTF-8',
  ],
])('beside package.json %s is a mistake of usage', async (_, make, reason) => {
  make(join(project.dir, '.env'));
  const { code, stderr } = await variablesAt(workspace);
  expect(code).toBe(2);
  expect(stderr).toContain(`${join(realpathSync(project.dir), '.env')} can't be read: ${reason}`);
});

test.each<[string, (file: string) => { args?: string[]; env?: NodeJS.ProcessEnv }]>([
  ['--dotenv', (file) => ({ args: ['--dotenv', file] })],
  ['--dotenv=', (file) => ({ args: [`--dotenv=${file}`] })],
  ['MCP_DOTENV', (file) => ({ env: { MCP_DOTENV: file } })],
  [
    '--dotenv, which wins over MCP_DOTENV,',
    (file) => ({ args: ['--dotenv', file], env: { MCP_DOTENV: '/none' } }),
  ],
])('%s names another, which is read instead', async (_, optionsFor) => {
  writeFileSync(join(project.dir, '.env'), 'TWO=beside\n');
  writeFileSync(join(workspace, 'other.env'), 'ONE=other\n');
  for (const file of [join(workspace, 'other.env'), 'other.env']) {
    const { found, stderr } = await variablesAt(workspace, optionsFor(file));
    expect(found).toMatchObject({ EARLY: 'other', ONE: 'other' });
    expect(found).not.toHaveProperty('TWO');
    expect(stderr).toBe(`pets: variables are also read from ${join(workspace, 'other.env')}\n`);
  }
});

test.each<[{ args?: string[]; env?: NodeJS.ProcessEnv }, string]>([
  [{ args: ['--dotenv', '/none/x.env'] }, "--dotenv: /none/x.env can't be read: ENOENT"],
  [{ env: { MCP_DOTENV: '/none/x.env' } }, "MCP_DOTENV: /none/x.env can't be read: ENOENT"],
  [{ args: ['--dotenv', '/tmp'] }, "--dotenv: /tmp can't be read: it is no regular file"],
  [{ args: ['--dotenv'] }, '--dotenv needs a value, as in --dotenv /path/to/.env.'],
  [{ args: ['--dotenv', 'a', '--dotenv', 'b'] }, '--dotenv is given twice.'],
])('%j is a mistake of usage', async (options, words) => {
  const { code, stderr } = await variablesAt(workspace, options);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

test('variables of Node, of the loader and of the file itself come from the environment alone', async () => {
  const names = [
    'LD_PRELOAD',
    'MCP_DOTENV',
    'NODE_OPTIONS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'Path',
    'node_extra_ca_certs',
  ];
  writeFileSync(join(project.dir, '.env'), `${names.map((name) => `${name}=x\n`).join('')}ONE=1\n`);
  const { found, stderr } = await variablesAt(workspace);
  expect(found).toEqual({ EARLY: '1', ONE: '1' });
  expect(stderr).toContain(`.env can't set ${names.join(', ')}, so that is ignored.`);
});

test('paths in the file count from its folder', async () => {
  const pem = '-----BEGIN CERTIFICATE-----';
  mkdirSync(join(project.dir, 'files'), { recursive: true });
  writeFileSync(
    join(project.dir, '.env'),
    `MCP_AUDIT=audit.jsonl\nMCP_FILES_ROOT=./files\nTLS_CERT_SHOP=certs/a.pem\nTLS_KEY_SHOP="${pem}"\n`,
  );
  const { code, found } = await variablesAt(workspace);
  const dir = realpathSync(project.dir);
  expect([code, found]).toEqual([
    0,
    {
      MCP_AUDIT: join(dir, 'audit.jsonl'),
      MCP_FILES_ROOT: join(dir, 'files'),
      TLS_CERT_SHOP: join(dir, 'certs/a.pem'),
      TLS_KEY_SHOP: pem,
    },
  ]);
});

test('below node_modules none is read, but where a link leads to a project that is elsewhere', async () => {
  const installed = join(workspace, 'node_modules/pets');
  cpSync(project.dir, installed, { recursive: true });
  writeFileSync(join(installed, '.env'), 'ONE=installed\n');
  const from = { ...project, dir: installed, main: join(installed, 'dist/main.js') };
  const none = await variablesAt(workspace, { from });
  expect([none.found, none.stderr]).toEqual([{}, '']);
  rmSync(installed, { recursive: true });
  writeFileSync(join(project.dir, '.env'), 'ONE=linked\n');
  symlinkSync(project.dir, installed);
  expect((await variablesAt(workspace, { from })).found).toMatchObject({ ONE: 'linked' });
});

test('a folder without package.json is no project, and its file is not read', async () => {
  const bare = join(workspace, 'bare');
  cpSync(project.dir, bare, { recursive: true });
  rmSync(join(bare, 'package.json'));
  writeFileSync(join(bare, 'dist/package.json'), '{"type":"module"}');
  writeFileSync(join(bare, '.env'), 'ONE=1\n');
  const from = { ...project, dir: bare, main: join(bare, 'dist/main.js') };
  expect((await variablesAt(workspace, { from })).found).toEqual({});
});

test('a start that fails says too that the file is not read: it may be what is missing', async () => {
  writeFileSync(join(workspace, '.env'), 'MCP_RATE_LIMIT=5\n');
  const { code, stderr } = await variablesAt(workspace, { env: { PORT: 'x' } });
  expect(code).toBe(2);
  expect(stderr).toContain('It sets MCP_RATE_LIMIT, which this server reads.');
});

test.each<[string[], string, string]>([
  [['--audit', 'audit.jsonl'], 'audit.jsonl', '--audit must not lead through a link'],
  [['--audit', './logs/audit.jsonl'], 'logs', '--audit must not lead through a link'],
  [['--files', 'files'], 'files', '--files must not lead through a link'],
])('%j is refused where %s of the working folder is a link', async (args, name, words) => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'mcpgen-elsewhere-'));
  symlinkSync(name === 'audit.jsonl' ? join(elsewhere, 'made') : elsewhere, join(workspace, name));
  const { code, stderr } = await variablesAt(workspace, { args });
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(elsewhere, { recursive: true });
});
