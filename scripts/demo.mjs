/**
 * `npm run demo`: compiles the petstore, starts it and its server, and talks to it as an MCP client does. Ends with a
 * code other than 0 when anything is not as it should be.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { startPetstore } from '../fixtures/upstreams/petstore.mjs';
import { connectNewClient, listAll } from './lib/clients.mjs';
import { root } from './lib/repository.mjs';
import { mcpgenOrThrow } from './lib/run.mjs';
import { paint, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

const say = (text = '') => console.log(text);
const heading = (text) => say(`\n${paint(['bold', 'cyan'], text)}`);
const asked = (text, ms) => say(`${paint('green', '→')} ${text} ${paint('dim', seconds(ms))}`);
const got = (text) => say(text.replaceAll(/^/gm, paint('dim', '  │ ')));

/** Runs one step and tells how long it took. */
async function step(text, work) {
  const start = performance.now();
  const result = await work();
  asked(text, performance.now() - start);
  return result;
}

/** JSON on few lines, cut where it gets boring. */
function excerpt(value, lines = 8) {
  const text = JSON.stringify(value, null, 2).replaceAll(/\[\s+([^[\]{}]{1,60}?)\s+\]/g, (_, items) => {
    return `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`;
  });
  const all = text.split('\n');
  return all.length <= lines
    ? text
    : [...all.slice(0, lines), `… ${all.length - lines} more lines`].join('\n');
}

async function compile(folder) {
  heading('1. Compile');
  const project = path.join(folder, 'petstore-mcp');
  const ended = await step('mcpgen openapi fixtures/petstore.yaml -o petstore-mcp', () =>
    mcpgenOrThrow(['openapi', 'fixtures/petstore.yaml', '-o', project], { cwd: root, timeout: 60_000 }),
  );
  got(ended.stdout.trim().replaceAll(folder, '.'));
  return project;
}

async function look(client) {
  heading('3. What is offered');
  const { tools, resources, resourceTemplates, prompts } = await step('list everything', () =>
    listAll(client),
  );
  for (const { name, title, annotations } of tools) {
    const kind = annotations?.readOnlyHint ? 'reads' : annotations?.destructiveHint ? 'destroys' : 'writes';
    got(`${name.padEnd(16)} ${paint('dim', kind.padEnd(9))} ${title ?? ''}`);
  }
  got(`${resources.length} resources: ${resources.map(({ uri }) => uri).join(', ')}`);
  got(`${resourceTemplates.length} templates: ${resourceTemplates.map((one) => one.uriTemplate).join(', ')}`);
  got(`${prompts.length} prompts: ${prompts.map(({ name }) => name).join(', ')}`);
  assert.equal(tools.length, 13, 'the petstore has 13 tools');
  assert.equal(prompts.length, 2, 'the petstore has 2 prompts');
  return resources;
}

function call(client, name, args) {
  const words = `tools/call ${name} ${JSON.stringify(args)}`;
  return step(words, () => client.callTool({ name, arguments: args }));
}

async function work(client, requests) {
  heading('4. Two tools');
  const cats = await call(client, 'listPets', { species: 'cat', status: 'available', limit: 2 });
  got(excerpt(cats.structuredContent));
  assert.deepEqual(
    cats.structuredContent?.items.map((pet) => pet.name),
    ['Minka', 'Luna'],
  );
  got(paint('dim', `the API saw: ${requests.at(-1).method} ${requests.at(-1).url}`));

  const order = await call(client, 'placeOrder', { petId: 6, customer: 'Ada', note: 'Ring twice.' });
  got(excerpt(order.structuredContent));
  assert.equal(order.structuredContent?.state, 'placed');

  heading('5. What goes wrong is said in words');
  const again = await call(client, 'placeOrder', { petId: 6, customer: 'Grace' });
  assert.equal(again.isError, true, 'a pet is ordered once');
  got(again.content[0].text);
  const wrong = await call(client, 'listPets', { statsu: 'available' });
  assert.equal(wrong.isError, true, 'an unknown argument is refused');
  got(wrong.content[0].text);
}

async function readAndPrompt(client, resources) {
  heading('6. A resource');
  const inventory = resources.find(({ uri }) => uri.endsWith('inventory'));
  assert.ok(inventory, 'the inventory is a resource');
  const { contents } = await step(`resources/read ${inventory.uri}`, () =>
    client.readResource({ uri: inventory.uri }),
  );
  got(contents[0].text);
  assert.deepEqual(JSON.parse(contents[0].text), { available: 4, pending: 2, adopted: 1 });

  heading('7. A prompt');
  const prompt = await step('prompts/get adoption_advert', () =>
    client.getPrompt({ name: 'adoption_advert', arguments: { petId: '1', tone: 'warm' } }),
  );
  const text = prompt.messages[0].content.text;
  assert.match(text, /pet 1 .*tone is warm/s);
  got(text.trim());
}

async function demo(folder) {
  const project = await compile(folder);
  heading('2. Start');
  const upstream = await step('the petstore itself, on loopback', () => startPetstore());
  const env = { API_BASE_URL: upstream.url };
  let connected;
  try {
    connected = await step('node dist/main.js, over stdio', () => connectNewClient(project, { env }));
    const { name, version } = connected.client.getServerVersion() ?? {};
    got(`${name} ${version}, MCP ${connected.client.getNegotiatedProtocolVersion()}`);
    const resources = await look(connected.client);
    await work(connected.client, upstream.requests);
    await readAndPrompt(connected.client, resources);
  } catch (error) {
    const said = connected?.stderr();
    if (said) say(`\nThe server said:\n${said}`);
    throw error;
  } finally {
    await connected?.close();
    await upstream.close();
  }
}

readOptions('npm run demo');
try {
  const start = performance.now();
  await withTempFolder('demo', demo);
  say(
    `\n${paint(['bold', 'green'], '✓ All as it should be')} ${paint('dim', seconds(performance.now() - start))}`,
  );
  say('  Next: node dist/bin/mcpgen.js openapi <your OpenAPI document>');
} catch (error) {
  console.error(
    `\n${paint(['bold', 'red'], '✗ A surprise:')} ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}
