/** The emitted projects that are measured: one tool, `add`, done by a handler, or by an annotated function. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from '../repository.mjs';
import { compileServer } from '../compile-server.mjs';
import { mcpgenOrThrow } from '../run.mjs';

const number = { type: 'number' };
const sum = { type: 'object', required: ['sum'], properties: { sum: number } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Sums', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/sum': {
      get: {
        operationId: 'add',
        summary: 'Add two numbers',
        parameters: ['a', 'b'].map((name) => ({ name, in: 'query', required: true, schema: number })),
        responses: {
          200: { description: 'Their sum.', content: { 'application/json': { schema: sum } } },
        },
      },
    },
  },
};

const handlers = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

export const handlers: Handlers<Tools> = { tools: { add: ({ a, b }) => ({ sum: a + b }) } };
`;

const annotated = `/** Add two numbers. @tool */
export function add(a: number, b: number): { sum: number } {
  return { sum: a + b };
}
`;

/** Compiles it as `<name>-mcp`. `code`: of `src/handlers/index.ts`; '' calls the API. Returns its program. */
export async function compileAdd(folder, name, options = [], code = handlers) {
  const parts = { name, options, handlers: code || undefined };
  return path.join(await compileServer(folder, document, parts), 'dist/main.js');
}

/** Compiles the same tool as an annotated function. Returns its program. */
export async function compileAddFunction(folder) {
  const [source, project] = [path.join(folder, 'sums.ts'), path.join(folder, 'sums-functions')];
  await writeFile(source, annotated);
  await mcpgenOrThrow(['ts', source, '-o', project]);
  return path.join(project, 'dist/main.js');
}

/** Lets servers below `folder` import packages of this repository. */
export async function linkModules(folder, ...names) {
  for (const name of names) {
    const place = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(inRepository('node_modules', name), place);
  }
}
