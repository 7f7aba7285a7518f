// The handlers that the reference shows, in a project: they type-check as its own build does, and each does its work.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { startPetstore } from '../../fixtures/upstreams/petstore.mjs';
import { mcpgen, tsc } from '../e2e/support/command.ts';
import { compileFixture, folderForTest, linkTypes } from '../e2e/support/project.ts';
import { blocksOf, fileOf } from './blocks.ts';
import { judged } from '../support/conversation.ts';

test('the handlers of the reference type-check and work', async () => {
  const project = await projectOfThePage();
  expect(await tsc(['-p', project, '--noEmit'])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await mcpgen(['generate', project, '--quiet'])).toMatchObject({ code: 0, stderr: '' });
  const { client, logged, requests } = await serve(project);

  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('brush_pets');
  expect(await call(client, 'deletePet', { petId: 1 })).toEqual({
    text: 'Pets are not deleted here.',
    isError: true,
  });
  expect(logged).toEqual(['asked to delete pet 1']);

  await call(client, 'getPet', { petId: 1 });
  expect(requests.at(-1)?.headers).toHaveProperty('x-request-id');
  expect((await call(client, 'getPet', { petId: 999 })).text).toContain(
    'Nothing is at /pets/999. Ask listPets first.',
  );
  const replaced = await call(client, 'replacePet', { petId: 1, name: 'Minka', species: 'cat' });
  expect(replaced).toMatchObject({ isError: true });
  expect(replaced.text).toContain('Change single fields with updatePet.');

  const steps: (string | undefined)[] = [];
  const brushed = await client.callTool(
    { name: 'brush_pets', arguments: { names: ['Minka', 'Luna'] } },
    { onprogress: ({ message }) => void steps.push(message) },
  );
  expect(brushed).toMatchObject({ structuredContent: { brushed: 2 } });
  expect(steps).toEqual(['brushing Minka for reader', 'brushing Luna for reader']);

  expect((await call(client, 'adopt', {})).text).toMatch(/^Reserved for Ada as [\da-f-]{36}\.$/);

  expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
  expect(await client.subscribeResource({ uri: 'shelter://rules' })).toEqual({});
  const rules = await client.readResource({ uri: 'shelter://rules' });
  expect(rules.contents).toMatchObject([{ mimeType: 'text/plain', text: 'Be kind to every animal.' }]);
  const photo = await client.readResource({ uri: 'shelter://photos/1' });
  expect(photo.contents).toMatchObject([{ mimeType: 'image/png', blob: 'iVBORw==' }]);
  await expect(client.readResource({ uri: 'shelter://photos/2' })).rejects.toThrow('Resource not found');

  const argument = { name: 'species', value: 'r' };
  const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'care_sheet' }, argument });
  expect(completion.values).toEqual(['rabbit']);
  const prompt = await client.getPrompt({ name: 'care_sheet', arguments: { species: 'cat' } });
  expect(JSON.stringify(prompt)).toContain('Write a care sheet for a cat.');
});

async function projectOfThePage(): Promise<string> {
  const project = await compileFixture('petstore.yaml', await folderForTest());
  await linkTypes(project);
  for (const block of blocksOf('docs/reference/handlers.md')) {
    const file = fileOf(block);
    if (file?.startsWith('src/handlers/') !== true) continue;
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), block.text);
  }
  return project;
}

interface Served {
  client: Client;
  logged: unknown[];
  requests: Awaited<ReturnType<typeof startPetstore>>['requests'];
}

async function serve(project: string): Promise<Served> {
  const upstream = await startPetstore();
  onTestFinished(() => upstream.close());
  const logged: unknown[] = [];
  const client = new Client(
    { name: 'reader', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.data));
  const env = { PATH: process.env['PATH'] ?? '', API_BASE_URL: upstream.url };
  const args = [join(project, 'dist/main.js')];
  onTestFinished(() => client.close());
  await client.connect(
    judged(new StdioClientTransport({ command: process.execPath, args, cwd: project, env })),
  );
  return { client, logged, requests: upstream.requests };
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<{ text: string; isError?: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { text, ...(isError === undefined ? {} : { isError }) };
}
