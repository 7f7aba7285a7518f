/** The road of a call: the functions of the runtime that run for one warm `tools/call` over stdio to an API over http. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { startLoopback } from '../../../fixtures/upstreams/loopback.mjs';
import { inRepository } from '../repository.mjs';
import { mcpgenOrThrow } from '../run.mjs';
import { withTempFolder } from '../temp.mjs';

/** Most functions and files that one call may need. */
export const LIMITS = { functions: 70, files: 10 };

const WARM_CALLS = 20;

/** @returns {Promise<{ file: string, names: string[] }[]>} by file of the runtime */
export function readCallRoad() {
  return withTempFolder('call-road', async (folder) => {
    const project = path.join(folder, 'petstore');
    await mcpgenOrThrow(['openapi', inRepository('fixtures/petstore.yaml'), '-o', project]);
    const runtime = `${pathToFileURL(path.join(project, 'dist/runtime')).href}/`;
    const coverage = await coverageOf(path.join(project, 'dist/main.js'));
    return coverage
      .filter(({ url }) => url.startsWith(runtime))
      .map(({ url, functions }) => {
        const file = url.slice(runtime.length).replace(/\.js$/, '.ts');
        const counted = functions.filter(
          ({ functionName, ranges: [range] }) =>
            // The whole module begins at 0; fields of classes are no function of their own.
            range.count > 0 && range.startOffset > 0 && !functionName.startsWith('<'),
        );
        return { file, names: counted.map(({ functionName }) => functionName || '(anonymous)') };
      })
      .filter(({ names }) => names.length > 0);
  });
}

async function coverageOf(main) {
  const api = await startLoopback(() => ({ json: { items: [] } }));
  const counter = new URL('call-counter.mjs', import.meta.url).href;
  const server = spawn(process.execPath, ['--import', counter, main], {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    env: { ...process.env, API_BASE_URL: api.url },
  });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ask = async (id, method, params) => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const { value = '' } = await lines.next();
      const { result } = JSON.parse(value);
      if (result === undefined || result.isError !== undefined) throw new Error(`${method}: ${value}`);
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
    await api.close();
  }
}
