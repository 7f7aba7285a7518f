/** The road of a call: the functions of the runtime that run for one warm `tools/call` over stdio to an API over http. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { inRepository } from '../repository.mjs';
import { mcpgen } from '../run.mjs';
import { withTempFolder } from '../temp.mjs';

/** Most functions and files that one call may need. */
export const LIMITS = { functions: 120, files: 30 };

/** The steps of a call, each with the modules that belong to it; a module belongs to the first step that matches. */
const STEPS = [
  ['read', /^(?:transports\/|protocol\/json-rpc|contract\/json-)/],
  ['validate', /^(?:schema\/|core\/call-tool)/],
  ['result', /^(?:core\/(?:handler-result|call(?!-))|upstream\/tool-result)/],
  ['dispatch', /^(?:core\/(?!call-api)|protocol\/)/],
  ['authorise', /^(?:oauth\/|upstream\/(?:security|\w+-credentials|oauth-token))/],
  [
    'build request',
    /^(?:upstream\/(?:compose|parameter|server|body|bytes|files|upstream-client)|percent|uri)/,
  ],
  ['decode', /^upstream\/(?:read-|stream-|reported)/],
  ['send', /^(?:upstream\/|core\/call-api)/],
];
const WARM_CALLS = 20;

/** @returns {Promise<{ functions: number, files: number, steps: { step: string, file: string, names: string[] }[] }>} */
export function readCallRoad() {
  return withTempFolder('call-road', async (folder) => {
    const project = path.join(folder, 'petstore');
    const { code, stderr } = await mcpgen(['openapi', inRepository('fixtures/petstore.yaml'), '-o', project]);
    if (code !== 0) throw new Error(stderr);
    const runtime = path.join(project, 'dist/runtime');
    if (!existsSync(path.join(runtime, 'call-api.js'))) {
      // The runtime as modules, in place of the few files that it is shipped in.
      rmSync(runtime, { recursive: true });
      cpSync(inRepository('dist/templates/runtime'), runtime, { recursive: true });
    }
    return roadOf(await coverageOf(path.join(project, 'dist/main.js')), `${pathToFileURL(runtime).href}/`);
  });
}

async function coverageOf(main) {
  const api = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"items":[]}');
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const counter = new URL('call-counter.mjs', import.meta.url).href;
  const server = spawn(process.execPath, ['--import', counter, main], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, API_BASE_URL: `http://127.0.0.1:${api.address().port}` },
  });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ask = async (id, method, params) => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const { value = '' } = await lines.next();
      if (JSON.parse(value).result?.isError !== undefined || !('result' in JSON.parse(value)))
        throw new Error(`${method}: ${value}`);
    };
    const take = async () => {
      const taken = once(server, 'message');
      server.send('take');
      return (await taken)[0];
    };
    const clientInfo = { name: 'call-road', version: '1' };
    await ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const call = (id) => ask(id, 'tools/call', { name: 'listPets', arguments: { limit: 2 } });
    for (let id = 1; id <= WARM_CALLS; id++) await call(id);
    await take();
    await call(WARM_CALLS + 1);
    return await take();
  } finally {
    server.stdin.end();
    api.close();
  }
}

function roadOf(coverage, runtime) {
  const steps = coverage
    .filter(({ url }) => url.startsWith(runtime))
    .map(({ url, functions }) => {
      const file = url.slice(runtime.length).replace(/\.js$/, '');
      const ran = functions.filter(
        ({ functionName, ranges: [range] }) =>
          // The whole module begins at 0; fields of classes are no function of their own.
          range.count > 0 && range.startOffset > 0 && !functionName.startsWith('<'),
      );
      const step = STEPS.find(([, modules]) => modules.test(file))?.[0] ?? 'other';
      return { step, file, names: ran.map(({ functionName }) => functionName || '(anonymous)') };
    })
    .filter(({ names }) => names.length > 0);
  const functions = steps.reduce((sum, { names }) => sum + names.length, 0);
  return { functions, files: steps.length, steps };
}

/** @param {Awaited<ReturnType<typeof readCallRoad>>} road */
export function roadLines({ steps }) {
  const names = [...STEPS.map(([step]) => step), 'other'];
  return names.flatMap((name) => {
    const own = steps.filter(({ step }) => step === name);
    if (own.length === 0) return [];
    const count = own.reduce((sum, { names: ran }) => sum + ran.length, 0);
    return [
      `${name}: ${count} functions in ${own.length} files`,
      ...own.map((each) => `  ${each.file}: ${each.names.join(', ')}`),
    ];
  });
}
