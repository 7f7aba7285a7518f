/**
 * Documents that have a call of the API carry what nobody has accepted, or go where the lock does not say. A call is tried as the
 * preview does. The witness counts requests that arrived with a secret.
 */
import { createServer } from 'node:http';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from '../../repository.mjs';
import { inModule } from '../prove/check.mjs';

export const family = 'tried calls';

const SECRET = 'mine-alone-1234';
const ENV = { API_KEY_KEY: SECRET, AWS_SECRET_ACCESS_KEY: SECRET };

const documentWith = (server, parameter = {}) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  servers: [{ url: server }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  paths: {
    '/a': {
      get: {
        operationId: 'read_a',
        parameters: [{ name: 'region', in: 'query', schema: { type: 'string' }, ...parameter }],
        responses: { 200: { description: 'd' } },
      },
    },
  },
});

export async function open(folder) {
  const { generate } = await import(inRepository('dist/src/index.js'));
  const { compileAndLint } = await import(inRepository('dist/src/api/lint.js'));
  const { Trials } = await import(inRepository('dist/src/preview/try/try-call.js'));
  let arrived = 0;
  const http = createServer((request, response) => {
    if (JSON.stringify([request.url, request.headers]).includes(SECRET)) arrived += 1;
    response.end('{}');
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${http.address().port}`;
  return {
    origin,
    witness: async () => ({ arrived }),
    close: () => new Promise((resolve) => http.close(resolve)),
    /** Tries a call of `document`; the lock of its project is of `before`, if there is one. */
    try: async (document, before) => {
      const cwd = await mkdtemp(path.join(folder, 'row-'));
      const file = path.join(cwd, 'api.json');
      if (before !== undefined) {
        await writeFile(file, JSON.stringify(before));
        const { ok } = await generate({ source: 'api.json', dir: 'out', cwd });
        if (!ok) throw new Error('the project was not written');
      }
      await writeFile(file, JSON.stringify(document));
      const options = { source: 'api.json', cwd, ...(before && { dir: 'out' }) };
      const report = await compileAndLint(options);
      const trials = new Trials({ env: ENV, consent: {}, report: () => undefined });
      const call = { kind: 'tool', name: 'read_a', arguments: {} };
      try {
        await trials.runTrial({ call, target: 'api' }, { generation: 1, name: 't', options, report });
        return 'sent';
      } catch (error) {
        return /\((MCPG\d+)\)/.exec(error.message)?.[1] ?? error.message;
      } finally {
        await trials.closeServers();
      }
    },
  };
}

const asArgument = { 'x-mcp': { env: 'AWS_SECRET_ACCESS_KEY' } };
const ELSEWHERE = 'https://api.example.com';

export const rows = [
  {
    name: 'another host than the lock accepts',
    want: 'MCPG580',
    attack: (target) => target.try(documentWith(target.origin), documentWith(ELSEWHERE)),
  },
  {
    name: 'a variable as an argument, without a project',
    want: 'MCPG624',
    attack: (target) => target.try(documentWith(target.origin, asArgument)),
  },
  {
    name: 'a variable as an argument that the lock does not list',
    want: 'MCPG624',
    attack: (target) => target.try(documentWith(target.origin, asArgument), documentWith(target.origin)),
  },
];

export const checks = [
  inModule('src/preview/try/try-call', /./, ['await refuseSending(model, options, consent);', 'void 0;']),
];
