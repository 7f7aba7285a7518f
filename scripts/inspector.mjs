/**
 * `npm run inspector`: the command line of the MCP Inspector, pinned, against an emitted server, over every transport
 * it has.
 */
import assert from 'node:assert/strict';
import path from 'node:path';

import { startPetstore } from '../fixtures/upstreams/petstore.mjs';
import { root } from './lib/repository.mjs';
import { mcpgenOrThrow, run } from './lib/run.mjs';
import { start } from './lib/start.mjs';
import { paint } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { Tools } from './lib/tools.mjs';
import { readOptions } from './lib/usage.mjs';

/** Questions, and what each answer must contain. */
const QUESTIONS = [
  [['tools/list'], /"name": "listPets"/],
  [['tools/call', '--tool-name', 'getPet', '--tool-arg', 'petId=1'], /Minka/],
  [['resources/list'], /petstore:\/\/pets/],
  [['resources/templates/list'], /petstore:\/\/pets\/\{petId\}/],
  [['resources/read', '--uri', 'petstore://pets/4'], /Kiki/],
  [['prompts/list'], /adoption_advert/],
  [['prompts/get', '--prompt-name', 'restock_plan', '--prompt-args', 'horizon=week'], /next week/],
  [['logging/setLevel', '--log-level', 'error'], /\{\}/],
];

readOptions('npm run inspector');
const tools = new Tools('test/inspector');
await tools.install();
const program = tools.path('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
await withTempFolder('inspector', async (folder) => {
  const upstream = await startPetstore();
  try {
    const main = path.join(await compile(folder), 'dist/main.js');
    await ask('stdio', ['-e', `API_BASE_URL=${upstream.url}`, process.execPath, main], folder);
    await withServer(main, upstream.url, async (origin) => {
      await ask('http', ['--transport', 'http', '--server-url', `${origin}/mcp`], folder);
      await ask('sse', ['--transport', 'sse', '--server-url', `${origin}/sse`], folder);
    });
  } finally {
    await upstream.close();
  }
});

async function compile(folder) {
  const project = path.join(folder, 'petstore-mcp');
  const args = ['openapi', 'fixtures/petstore.yaml', '-o', project, '--feature', 'sse'];
  await mcpgenOrThrow(args, { cwd: root });
  return project;
}

/** `home`: where the Inspector may keep its own files. */
async function ask(transport, target, home) {
  // Each start takes seconds: two questions show that the other transports carry them.
  for (const [question, wanted] of transport === 'stdio' ? QUESTIONS : QUESTIONS.slice(0, 2)) {
    const args = [program, '--cli', ...target, '--method', ...question];
    const { code, stdout, stderr } = await run(tools.node(22), args, {
      env: { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' },
      timeout: 60_000,
    });
    assert.equal(code, 0, `${transport} ${question.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
    assert.match(stdout, wanted);
    console.log(`${paint('green', '✓')} ${transport.padEnd(5)} ${question.join(' ')}`);
  }
}

/** Runs `work` with the origin of a server over HTTP, and ends the server afterwards. */
async function withServer(main, upstream, work) {
  const args = [main, '--transport', 'http', '--port', '0', '--sse', '--base-url', upstream];
  const { url, close } = await start({ command: process.execPath, args, ready: /(http:\/\/\S+)\/mcp/ });
  try {
    await work(url);
  } finally {
    await close();
  }
}
