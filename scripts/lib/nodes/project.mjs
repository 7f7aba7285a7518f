/** The server whose processes run: one tool of the API, and handlers that ask, change, and take their time. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { linkModules } from '../bench-runtime/project.mjs';
import { compileServer } from '../compile-server.mjs';

/** A resource that changes when `touch` is called. */
export const WATCHED = 'nodes://watched';

const text = { type: 'string' };

const document = {
  openapi: '3.1.0',
  info: { title: 'Nodes', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/jobs/{id}': {
      post: {
        operationId: 'work',
        summary: 'Do something once',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'session', in: 'query', schema: text },
          { name: 'ms', in: 'query', schema: { type: 'integer', minimum: 0 } },
        ],
        responses: {
          200: {
            description: 'It was done.',
            content: {
              'application/json': {
                schema: { type: 'object', required: ['id'], properties: { id: text, session: text } },
              },
            },
          },
        },
      },
    },
  },
};

const handlers = `import type { Handlers, ServerHandle } from '../runtime/types.ts';
import type { Tools } from '../generated/types.ts';

const needsId = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;
let server: ServerHandle | undefined;

export const handlers: Handlers<Tools> = {
  started: (handle) => {
    server = handle;
  },
  tools: {
    // A message before the work, so that the answer is a stream.
    work: async (args, { log }, next) => {
      await log('info', { id: args.id, session: args.session ?? '' });
      return next();
    },
  },
  resources: {
    '${WATCHED}': { name: 'watched', read: () => 'watched' },
  },
  extraTools: [
    {
      name: 'touch',
      inputSchema: { type: 'object' },
      handler: () => {
        server?.resourceUpdated('${WATCHED}');
        return 'touched';
      },
    },
    {
      name: 'grow',
      inputSchema: { type: 'object' },
      handler: () => {
        server?.addTool({ name: 'grown', inputSchema: { type: 'object' }, handler: () => '' });
        server?.removeTool('grown');
        return 'grown';
      },
    },
    {
      name: 'ask',
      inputSchema: needsId,
      handler: async ({ id }, { api, elicit }) => {
        const form = { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] } as const;
        await elicit('Go on?', form, { key: 'go', once: true });
        return api['nodes']!['work']!({ id });
      },
    },
    {
      name: 'later',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, ms: { type: 'integer' } },
        required: ['id', 'ms'],
      },
      execution: { taskSupport: 'optional' },
      handler: async ({ id, ms }, { api }) => api['nodes']!['work']!({ id, ms }),
    },
  ],
};
`;

/**
 * Compiles it. Features that this build does not know are an error. `folder`: is made; `features`: beside those of
 * the handlers; returns its program.
 */
export async function compileNodes(folder, features) {
  await mkdir(folder);
  await linkModules(folder, '@redis/client');
  const all = ['ask', 'tasks', 'signed-sessions', 'trusted-proxies', ...features];
  const options = ['--feature', all.join()];
  const project = await compileServer(folder, document, { name: 'nodes', options, handlers });
  return path.join(project, 'dist/main.js');
}
