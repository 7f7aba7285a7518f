/** The official clients over every transport, in every revision each of them speaks. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Upstream } from '../../fixtures/upstreams/loopback.mjs';
import { startPetstore } from '../../fixtures/upstreams/petstore.mjs';
import { LEGACY_REVISIONS, META, MODERN_REVISIONS } from '../../templates/runtime/json-rpc.ts';
import { startServer, type StartedServer } from './support/clients.ts';
import { mcpgenHere } from './support/command.ts';
import { compileFixture, temporaryFolder } from './support/project.ts';
import { connect, type Line, type Talker, type Target, type TransportName } from './support/talker.ts';

const HANDLERS = `
import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

const inputSchema = { type: 'object' } as const;
const form = { type: 'object', properties: { color: { type: 'string', enum: ['red', 'green'] } } } as const;
let aborted = 0;
let goOn = (): void => undefined;

export const handlers: Handlers<Tools> = {
  extraTools: [
    {
      name: 'steps',
      inputSchema,
      handler: async (_, { progress, log }) => {
        const told = new Promise<void>((resolve) => (goOn = resolve));
        await log('debug', 'not asked for');
        await log('warning', 'steep');
        await progress(1, 2, 'half');
        await told;
        return 'there';
      },
    },
    { name: 'go_on', inputSchema, handler: () => goOn() },
    {
      name: 'wait',
      inputSchema,
      handler: async (_, { progress, signal }) => {
        const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await progress(1);
        await over;
        aborted++;
      },
    },
    { name: 'aborted', inputSchema, handler: () => String(aborted) },
    { name: 'revision', inputSchema, handler: (_, { client }) => client.revision },
    {
      name: 'ask',
      inputSchema,
      handler: async (_, { elicit }) => {
        const { action, content } = await elicit('Which color?', form);
        return \`\${action} \${String(content?.['color'])}\`;
      },
    },
  ],
};
`;

let folder: string;
let upstream: Upstream;
let server: StartedServer;
let target: Target;

beforeAll(async () => {
  folder = await temporaryFolder();
  upstream = await startPetstore();
  const project = await compileFixture('petstore.yaml', folder);
  await writeFile(path.join(project, 'src/handlers/index.ts'), HANDLERS);
  const generated = await mcpgenHere(['generate', project, '--quiet']);
  if (generated.code !== 0) throw new Error(generated.stderr);
  const env = { PATH: process.env['PATH'] ?? '', API_BASE_URL: upstream.url };
  server = await startServer(project, { env, args: ['--sse', '--ws'] });
  const args = [path.join(project, 'dist/main.js')];
  target = { stdio: { command: process.execPath, args, env, cwd: project }, origin: server.origin };
});
afterAll(async () => {
  server.stop();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const over = (
  generation: Line['generation'],
  transports: TransportName[],
  revisions: readonly string[],
): Line[] =>
  transports.flatMap((transport) => revisions.map((revision) => ({ generation, transport, revision })));

const [OLDEST, NEWEST] = ['2024-11-05', '2025-11-25'];

/** Each client over each of its transports, and in each revision over one. */
const lines = [
  ...over('sdk 1.x', ['http'], LEGACY_REVISIONS),
  ...over('sdk 1.x', ['stdio', 'ws'], [NEWEST]),
  ...over('sdk 1.x', ['sse'], [OLDEST]),
  ...over('client 2.x', ['stdio'], LEGACY_REVISIONS),
  ...over('client 2.x', ['http'], [NEWEST]),
  ...over('client 2.x', ['sse'], [OLDEST]),
  ...over('client 2.x', ['stdio', 'http'], MODERN_REVISIONS),
];

test.each(lines)('$generation over $transport in $revision', async (line) => {
  const talker = await connect(line, target);
  expect(await talker.call('revision')).toBe(line.revision);
  await reads(talker);
  await works(talker, line);
  await asks(talker, line);
  await cancels(talker);
  if (!MODERN_REVISIONS.includes(line.revision)) await talker.client.ping();
});

async function reads({ client }: Talker): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('steps');
  expect((await client.listPrompts()).prompts).toHaveLength(2);
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
  expect(contents[0]).toMatchObject({
    mimeType: 'application/json',
    text: expect.stringContaining('available'),
  });
  const [template] = (await client.listResourceTemplates()).resourceTemplates;
  expect(template?.uriTemplate).toContain('{');
  const { messages } = await client.getPrompt({ name: 'restock_plan', arguments: { horizon: 'week' } });
  expect(messages[0]?.role).toBe('user');
  const ref = { type: 'ref/prompt' as const, name: 'restock_plan' };
  const { completion } = await client.complete({ ref, argument: { name: 'horizon', value: 'm' } });
  expect(completion.values).toEqual(['month']);
}

async function works({ client, call, logged }: Talker, { revision }: Line): Promise<void> {
  expect(await call('getPet', { petId: 1 })).toContain('Minka');
  expect(await call('getPet', { petId: 99 })).toMatch(/^error: /);
  await expect(call('no_such_tool')).rejects.toThrow('Unknown tool: no_such_tool');
  if (!MODERN_REVISIONS.includes(revision)) await client.setLoggingLevel('warning');
  // Only the modern era looks at it.
  const meta = { [`${META}logLevel`]: 'warning' };
  const steps: unknown[] = [];
  const onprogress = ({ progress, message }: { progress: number; message?: string | undefined }) => {
    steps.push([progress, message]);
    void call('go_on');
  };
  expect(await call('steps', {}, { onprogress, meta })).toBe('there');
  expect(steps).toEqual([[1, revision === '2024-11-05' ? undefined : 'half']]);
  expect(logged).toEqual(['steep']);
}

async function asks({ call, forms }: Talker, { revision }: Line): Promise<void> {
  const said = await call('ask');
  if (revision < '2025-06-18') expect(said).toBe('error: The client cannot show its user a form.');
  else expect(said).toBe('accept green');
  expect(forms).toEqual(revision < '2025-06-18' ? [] : ['Which color?']);
}

async function cancels({ call }: Talker): Promise<void> {
  const before = Number(await call('aborted'));
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = call('wait', {}, { signal, onprogress: () => controller.abort('enough') });
  await expect(waiting).rejects.toThrow('enough');
  await expect.poll(() => call('aborted')).toBe(String(before + 1));
}
