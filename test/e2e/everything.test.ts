/** Annotated functions in the client of SDK 1.x: what the official suites, which run against the same server (`npm run conformance`), leave out. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judged } from '../support/conversation.ts';
import { startServer, type StartedServer } from './support/clients.ts';
import { fixtures, mcpgenHere } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';

let folder: string;
let main: string;
let server: StartedServer;
const logged: unknown[] = [];
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const client = new Client({ name: 'tester', version: '1.0.0' }, { capabilities });

beforeAll(async () => {
  folder = await temporaryFolder();
  const project = path.join(folder, 'everything');
  const cwd = path.join(fixtures, 'everything');
  const { code, stderr } = await mcpgenHere(['ts', 'src/*.ts', '-o', project], { cwd });
  expect(code, stderr).toBe(0);
  main = path.join(project, 'dist/main.js');
  server = await startServer(project);
  answerQuestions();
  await client.connect(
    judged(new StdioClientTransport({ command: process.execPath, args: [main], stderr: 'inherit' })),
  );
});

afterAll(async () => {
  await client.close();
  server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As a person and a model that say yes to everything. */
function answerQuestions(): void {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const { properties, required = [] } =
      'requestedSchema' in params ? params.requestedSchema : { properties: {} };
    const answers = Object.entries(properties).flatMap(([name, { type, default: value }]) => {
      if (value !== undefined) return [[name, value]];
      return required.includes(name) ? [[name, type === 'boolean' ? true : 'Ada']] : [];
    });
    return { action: 'accept', content: Object.fromEntries(answers) as Record<string, string> };
  });
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Paris' },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/someone/shop' }] }));
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logged.push(params.data),
  );
}

interface Call {
  name: string;
  args?: Record<string, unknown>;
  /** The first text, or what the result must be like. */
  want: string | RegExp | Record<string, unknown>;
}

const calls: Call[] = [
  {
    name: 'json_schema_2020_12_tool',
    args: { name: 'Ada', contactMethod: 'email', email: 'ada@a.example' },
    want: /^Reached by .*ada@a\.example/,
  },
  { name: 'json_schema_2020_12_tool', args: { contactMethod: 'phone', email: 'a' }, want: { isError: true } },
  { name: 'test_missing_capability', want: 'Paris' },
  { name: 'test_input_required_result_elicitation', want: 'Hello, Ada!' },
  { name: 'test_input_required_result_list_roots', want: 'Roots: file:///home/someone/shop' },
  { name: 'test_input_required_result_request_state', want: /^state-ok: begun at \d+$/ },
  { name: 'test_input_required_result_multiple_inputs', want: /^Got all: \["Ada",.*Paris.*file:/ },
  { name: 'test_input_required_result_multi_round', want: 'Got both: [{"name":"Ada"},{"color":"Ada"}]' },
  { name: 'greet', args: { name: 'Bob' }, want: 'Hello, Bob!' },
  { name: 'slow_compute', args: { seconds: 0 }, want: 'work took 0 seconds.' },
  { name: 'confirm_delete', args: { filename: 'a.txt' }, want: 'Deleted.' },
  { name: 'multi_input', want: 'Confirmed: [true,true]' },
  { name: 'count_mine', want: { structuredContent: { result: 1 } } },
  { name: 'count_mine', want: { structuredContent: { result: 2 } } },
  { name: 'count_everyones', want: { structuredContent: { result: 1 } } },
];

test.each(calls)('$name $args', async ({ name, args = {}, want }) => {
  const result = await client.callTool({ name, arguments: args });
  if (typeof want === 'object' && !(want instanceof RegExp)) return expect(result).toMatchObject(want);
  expect(result).toMatchObject({
    content: [{ text: typeof want === 'string' ? want : expect.stringMatching(want) }],
  });
});

test('what a function says of its arguments is listed as it stands', async () => {
  const { tools } = await client.listTools();
  const named = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  expect(named['test_x_mcp_header']?.inputSchema.properties).toEqual({
    region: { type: 'string', default: 'nowhere', 'x-mcp-header': 'Region' },
  });
  expect(named['json_schema_2020_12_tool']?.inputSchema).toMatchObject({
    $defs: { address: { $anchor: 'addressDef' } },
    allOf: [{}],
    if: {},
  });
});

test('a task asks', async () => {
  const stream = client.experimental.tasks.callToolStream({ name: 'test_tool_with_task' });
  const told = [];
  for await (const message of stream) told.push(message);
  expect(told[0]?.type).toBe('taskCreated');
  expect(told.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'Hello, Ada!' }] } });
});

test('changes are told', async () => {
  const heard = new Promise((resolve) =>
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)),
  );
  const tools = new Promise((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => resolve(method)),
  );
  const prompts = new Promise((resolve) =>
    client.setNotificationHandler(PromptListChangedNotificationSchema, ({ method }) => resolve(method)),
  );
  const uri = 'test://watched-resource';
  await client.subscribeResource({ uri });
  for (const name of ['touch', 'test_trigger_tool_change', 'test_trigger_prompt_change'])
    await client.callTool({ name });
  expect(await Promise.all([heard, tools, prompts])).toEqual([
    uri,
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
  ]);
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ text: expect.stringMatching(/^Changed [1-9] times\.$/) }]);
});

test('the resources of a template are listed, with what the template says', async () => {
  const { resources } = await client.listResources();
  const ofTemplate = resources.filter(({ uri }) => uri.startsWith('test://template/'));
  expect(ofTemplate).toEqual([
    { uri: 'test://template/1/data', name: 'test://template/1/data', mimeType: 'application/json' },
    { uri: 'test://template/a%20b/data', name: 'spaced', title: 'For tester', mimeType: 'text/x-data' },
  ]);
  expect(resources.map(({ uri }) => uri).slice(0, 3)).toEqual([
    'test://watched-resource',
    'test://static-text',
    'test://static-binary',
  ]);
});

/** By level of RFC 6570, section 1.2: what `@list` put in, and what the function is given. */
test.each([
  { uri: 'rfc://simple/a%20b%2F%C3%A9%2C%25', want: { name: 'a b/é,%' } },
  { uri: 'rfc://reserved/a/b?c=d', want: { path: 'a/b?c=d' } },
  { uri: 'rfc://fragment/page#top/2', want: { section: 'top/2' } },
  { uri: 'rfc://point/1.5,-2', want: { x: 1.5, y: -2 } },
  { uri: 'rfc://label/file.txt', want: { ext: 'txt' } },
  { uri: 'rfc://path/a%20b/c%2Fd', want: { folder: 'a b', file: 'c/d' } },
  { uri: 'rfc://matrix/at;lat=46.9;lon=7', want: { lat: 46.9, lon: 7 } },
  { uri: 'rfc://query?q=x%26y%3Dz&limit=3&all=true', want: { q: 'x&y=z', limit: 3, all: true } },
  { uri: 'rfc://more?fixed=yes&page=2', want: { page: 2 } },
  { uri: 'rfc://list/a%2Cb,c', want: { items: ['a', 'b', 'c'] } },
  { uri: 'rfc://segments/a/b%2Fc', want: { parts: ['a', 'b/c'] } },
  { uri: 'rfc://dots/v.1.2', want: { numbers: [1, 2] } },
  { uri: 'rfc://parameters;ids=1;ids=2;ids=3', want: { ids: [1, 2, 3] } },
  { uri: 'rfc://tags?tag=red&tag=a%26b&exact=false', want: { tag: ['red', 'a&b'], exact: false } },
])('$uri is listed, and read', async ({ uri, want }) => {
  const { resources } = await client.listResources();
  expect(resources.map((each) => each.uri)).toContain(uri);
  const { contents } = await client.readResource({ uri });
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(want);
});

test.each([
  { uri: 'rfc://reserved/a/../../etc', words: 'Resource not found' },
  { uri: 'rfc://point/1', words: '`y`' },
  { uri: 'rfc://matrix/at;lat=north;lon=7', words: '`lat`' },
  { uri: 'rfc://query?limit=7', words: '`q`' },
  { uri: 'rfc://more?fixed=yes&other=1', words: 'Resource not found' },
])('$uri is refused', async ({ uri, words }) => {
  await expect(client.readResource({ uri })).rejects.toThrow(words);
});

const streets = { type: 'ref/resource' as const, uri: 'test://streets/{city}/{street}' };

test.each([
  {
    ref: { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' },
    argument: { name: 'arg1', value: 'par' },
    want: ['paris', 'park', 'party'],
  },
  {
    ref: { type: 'ref/resource' as const, uri: 'test://template/{id}/data' },
    argument: { name: 'id', value: '1' },
    want: ['1', '10'],
  },
  { ref: streets, argument: { name: 'city', value: 'O' }, want: ['Oslo'] },
  {
    ref: streets,
    argument: { name: 'street', value: 'A' },
    context: { arguments: { city: 'Bern' } },
    want: ['Aarstrasse'],
  },
  { ref: streets, argument: { name: 'street', value: 'A' }, want: [] },
])('$argument is completed, knowing $context', async ({ want, ...params }) => {
  expect((await client.complete(params)).completion.values).toEqual(want);
});
