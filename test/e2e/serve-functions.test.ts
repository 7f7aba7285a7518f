/** `mcpgen serve` of annotated functions: nothing is written, and the code runs as where it stands. */
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClient, type StartedClient } from './support/clients.ts';
import { mcpgenHere } from './support/command.ts';
import { folderForTest, linkTypes, temporaryFolder } from './support/project.ts';
import { layOut as layOutFiles, main } from './support/watched.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json':
    '{ "name": "greetings", "version": "3.1.4", "type": "module", "dependencies": { "shout": "^1.0.0" } }',
  'node_modules/shout/package.json':
    '{ "name": "shout", "version": "1.0.0", "type": "module", "exports": { "types": "./index.d.ts", "import": "./index.js" } }',
  'node_modules/shout/index.js': 'export const shout = (text) => text.toUpperCase();\n',
  'node_modules/shout/index.d.ts': 'export declare function shout(text: string): string;\n',
  'src/greetings.txt': 'Good day',
  'src/greet.ts': `
import { readFileSync } from 'node:fs';
import { ToolError } from 'mcpgen/runtime';
import { shout } from 'shout';
import { Kind } from './kind.ts';

interface Greeting { text: string }

/** Greets. @tool @readOnly */
export function greet(name: string, kind: Kind = Kind.loud): Greeting {
  if (name === 'nobody') throw new ToolError('Nobody is there.');
  const words = readFileSync(new URL('greetings.txt', import.meta.url), 'utf8');
  return { text: kind === Kind.loud ? shout(words + ' ' + name) : words };
}

/** @tool */
export function fail(): string {
  throw new Error('on purpose');
}
`,
  'src/kind.ts': "export enum Kind { loud = 'loud', quiet = 'quiet' }\n",
  'src/more.ts':
    '/** @tool */\nexport const more = (): string => import.meta.filename.split(/[/\\\\]/).at(-1) ?? "";\n' +
    'export const Size = { "~standard": { version: 1 as const, vendor: "own", types: undefined as { input: string; output: number } | undefined,\n' +
    '  validate: (value: unknown) => value === "?" ? { issues: [{ message: "no size" }] } : { value: String(value).length },\n' +
    '  jsonSchema: { input: () => ({ type: "string" }), output: () => ({ type: "number" }) } } };\n' +
    '/** @tool */\nexport const measure = (/** @schema Size */ size: number): number => size;\n',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "target": "es2023", "strict": true, "types": ["node"] } }',
  'mcpgen.config.json':
    '{ "typescript": { "files": ["src/*.ts"] }, "output": "server", "name": "configured" }',
};

async function layOut(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await layOutFiles(folder, files);
  await linkTypes(folder);
}

let folder: string;
const isOutside = (file: string): boolean => !file.startsWith('node_modules/');

let client: StartedClient['client'];
let said: StartedClient['said'];

beforeAll(async () => {
  folder = await temporaryFolder();
  await layOut(folder, FILES);
  const args = [main, 'serve', 'src/greet.ts', 'src/more.ts', '--name', 'greeter', '--log-level', 'debug'];
  ({ client, said } = await startClient(args, { cwd: folder }));
});

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

test('the server is called as the options say', () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'greeter', version: '3.1.4' });
  expect(client.getServerCapabilities()?.tools).toEqual({});
});

test.each([
  { name: 'greet', args: { name: 'Ada' }, want: { structuredContent: { text: 'GOOD DAY ADA' } } },
  { name: 'greet', args: { name: 'Ada', kind: 'quiet' }, want: { structuredContent: { text: 'Good day' } } },
  {
    name: 'greet',
    args: { name: 'nobody' },
    want: { isError: true, content: [{ type: 'text', text: 'Nobody is there.' }] },
  },
  { name: 'measure', args: { size: 'large' }, want: { structuredContent: { result: 5 } } },
  {
    name: 'measure',
    args: { size: '?' },
    want: { isError: true, content: [{ text: expect.stringContaining('- `size`: no size') as string }] },
  },
  { name: 'more', args: {}, want: { structuredContent: { result: 'more.ts' } } },
])(
  '$name of $args: packages, files beside the code and ToolError are found',
  async ({ name, args, want }) => {
    expect(await client.callTool({ name, arguments: args })).toMatchObject(want);
  },
);

test('an error that was not meant shows, to the one who serves, where it stands in his file', async () => {
  const { content } = await client.callTool({ name: 'fail', arguments: {} });
  expect(content).toEqual([{ type: 'text', text: 'fail failed: on purpose' }]);
  await expect.poll(said).toContain('on purpose');
  expect(said()).toMatch(/greet\.ts:18:\d+/);
});

test('nothing is written beside the files', async () => {
  const files = await readdir(folder, { recursive: true });
  const names = files.map((file) => file.replaceAll('\\', '/')).filter(isOutside);
  expect(names.sort()).toEqual([...Object.keys(FILES).filter(isOutside), 'node_modules', 'src'].sort());
});

test.each([
  { args: ['mcpgen.config.json', '--name', 'other'], want: 'other' },
  { args: ['src/*.ts', '--include', 'op:more'], want: 'greetings' },
])('serve $args is $want', ({ args, want }) => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const messages = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const { stdout, status } = spawnSync(process.execPath, [main, 'serve', ...args], {
    cwd: folder,
    input: messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toContain(`"serverInfo":{"name":"${want}`);
  expect(stdout.match(/"name":"(?:greet|fail|more)"/g)).toHaveLength(args.includes('op:more') ? 1 : 3);
});

interface Wrong {
  name: string;
  files?: Record<string, string>;
  args: string[];
  code: number;
  words: RegExp[];
}

test.each<Wrong>([
  {
    name: 'errors of TypeScript, each at its place',
    files: { 'src/bad.ts': '/** @tool */\nexport function bad(a: string): number {\n  return a;\n}\n' },
    args: ['src/bad.ts'],
    code: 1,
    words: [/src\/bad\.ts:3:3/, /TS2322/],
  },
  {
    name: 'a document and files',
    args: ['api.yaml', 'src/greet.ts'],
    code: 2,
    words: [/several sources must all be files of functions/],
  },
  {
    name: 'options of documents',
    args: ['src/greet.ts', '--ref-root', '.'],
    code: 2,
    words: [/--ref-root applies only to documents/],
  },
])('$name: exit $code with words, and nothing on stdout', async ({ files = {}, args, code, words }) => {
  const cwd = await folderForTest();
  await layOut(cwd, { ...FILES, ...files });
  const ended = await mcpgenHere(['serve', ...args], { cwd });
  expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code, stdout: '' });
  for (const each of words) expect(ended.stderr).toMatch(each);
});
