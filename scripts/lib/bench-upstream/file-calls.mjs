/** One large file up and one down through an emitted server, and bytes in an argument, and how far its memory grew. */
import { spawn } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { initialize, initialized } from '../bench-runtime/messages.mjs';
import { endOf, residentOf } from '../bench-runtime/process.mjs';

const bytes = { type: 'string', format: 'binary' };
const answer = (mediaType, schema) => ({
  200: { description: 'Done.', content: { [mediaType]: { schema } } },
});

export const document = {
  openapi: '3.0.4',
  info: { title: 'Files', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/file': {
      put: {
        operationId: 'send',
        requestBody: { required: true, content: { 'application/octet-stream': { schema: bytes } } },
        responses: answer('application/json', { type: 'object' }),
      },
      get: {
        operationId: 'fetch',
        parameters: [{ name: 'bytes', in: 'query', required: true, schema: { type: 'integer' } }],
        responses: answer('application/zip', bytes),
      },
    },
  },
};

/**
 * Each direction in a process of its own.
 * @param {string} main the program
 * @param {{ base: string, folder: string, size: number, inline: number }} settings
 * @returns {Promise<{ up: number | undefined, down: number | undefined, inline: number | undefined }>} bytes by which the resident memory grew
 */
export async function measureFiles(main, { base, folder, size, inline }) {
  const file = path.join(folder, 'large.bin');
  await writeFile(file, '');
  await truncate(file, size);
  const grow = (name, args, check) => growthOf(main, { base, folder }, { name, args, check });
  return {
    up: await grow(
      'send',
      { body: 'file:large.bin' },
      (result) => result.content[0].text === `{"bytes":${size}}`,
    ),
    inline: await grow(
      'send',
      { body: Buffer.alloc(inline).toString('base64') },
      (result) => result.content[0].text === `{"bytes":${inline}}`,
    ),
    down: await grow('fetch', { bytes: size }, (result) => result.content[0].size === size),
  };
}

async function growthOf(main, { base, folder }, { name, args, check }) {
  const env = { ...process.env, API_BASE_URL: base, MCP_FILES_ROOT: folder };
  const child = spawn(process.execPath, [main], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (message) => {
    child.stdin.write(`${message}\n`);
    return JSON.parse((await lines.next()).value).result;
  };
  await ask(initialize);
  child.stdin.write(`${initialized}\n`);
  const before = residentOf(child.pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentOf(child.pid) ?? 0)), 5);
  const params = { name, arguments: args };
  const result = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  clearInterval(timer);
  const ended = endOf(child);
  child.stdin.end();
  await ended;
  if (!check(result)) throw new Error(`A wrong answer: ${JSON.stringify(result).slice(0, 500)}`);
  return before === undefined ? undefined : most - before;
}
