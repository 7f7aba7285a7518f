// docs/recipes.md: its files make a server that does what each recipe says.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RecordedRequest, startLoopback } from '../../fixtures/upstreams/loopback.mjs';
import type { JsonObject } from '../../src/util/json-schema.ts';
import { call, startClient } from '../e2e/support/clients.ts';
import { tsc } from '../e2e/support/command.ts';
import { linkTypes } from '../e2e/support/project.ts';
import { blocksOf, fileOf } from './blocks.ts';
import { commandsOf, layOut, succeed } from './walk-folder.ts';

const PAGE = 'docs/recipes.md';
const HANDLERS = 'shelter-mcp/src/handlers/';

interface Called {
  /** Each tool's arguments. */
  tools: Record<string, string[]>;
  sent: RecordedRequest[];
  text: string;
}

/** Calls a tool of the page's server. */
async function callTool(tool: string, args: JsonObject): Promise<Called> {
  const { url, requests, close } = await startApi();
  onTestFinished(close);
  const env = { PATH: process.env['PATH'] ?? '', API_BASE_URL: url, API_KEY_KEY: 'open-sesame' };
  const { client } = await startClient([join(project, 'dist/main.js')], { cwd: project, env });
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const { text = '' } = await call(client, tool, args);
  return {
    tools: Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    ),
    sent: requests,
    text,
  };
}

let project: string;

beforeAll(async () => {
  const files = blocksOf(PAGE).filter((block) => fileOf(block) !== undefined);
  const sources = files.map((block) => fileOf(block) ?? '').filter((file) => !file.startsWith(HANDLERS));
  const folder = layOut({ page: PAGE, files: sources });
  const [compile = 'false', ...after] = commandsOf(PAGE);
  await succeed(compile, folder);
  for (const block of files) {
    const file = join(folder, fileOf(block) ?? '');
    if (!fileOf(block)?.startsWith(HANDLERS)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.text);
  }
  for (const command of after) await succeed(command, folder);
  project = join(folder, 'shelter-mcp');
}, 120_000);

function startApi(): ReturnType<typeof startLoopback> {
  return startLoopback(({ url }) => ({
    json: url.pathname.startsWith('/pets/') ? { name: 'Minka' } : [{ day: 'Monday' }],
  }));
}

test('the handlers of the recipes type-check', { timeout: 120_000 }, async () => {
  await linkTypes(project);
  expect(await tsc(['-p', project, '--noEmit'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('fixed headers, a hidden argument and added security', { timeout: 120_000 }, async () => {
  const { tools, sent } = await callTool('listVisits', { pet: 1 });
  expect(tools).toEqual({ getPet: ['id'], listVisits: ['pet'], visit_report: ['id'] });
  expect(sent.map(({ url }) => url)).toEqual(['/visits?pet=1&region=eu']);
  expect(sent[0]?.headers).toMatchObject({ 'x-tenant': 'north', 'x-api-key': 'open-sesame' });
});

test('one tool from two', { timeout: 120_000 }, async () => {
  const { sent, text } = await callTool('visit_report', { id: 1 });
  expect(JSON.parse(text)).toEqual({ pet: { name: 'Minka' }, visits: [{ day: 'Monday' }] });
  expect(sent.map(({ url }) => url).sort()).toEqual(['/pets/1', '/visits?pet=1&region=eu']);
});
