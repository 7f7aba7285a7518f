/** The emitted projects that are measured: one tool, `add`, done by a handler, or by an annotated function. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../repository.mjs';
import { mcpgen } from '../run.mjs';

const numbers = ['a', 'b'].map((name) => ({
  name,
  in: 'query',
  required: true,
  schema: { type: 'number' },
}));

const document = {
  openapi: '3.1.0',
  info: { title: 'Sums', version: '1.0.0' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: {
    '/sum': {
      get: {
        operationId: 'add',
        summary: 'Add two numbers',
        parameters: numbers,
        responses: {
          200: {
            description: 'Their sum.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['sum'],
                  properties: { sum: { type: 'number' } },
                },
              },
            },
          },
        },
      },
    },
  },
};

const handlers = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

export const handlers: Handlers<Tools> = { tools: { add: ({ a, b }) => ({ sum: a + b }) } };
`;

/**
 * Compiles it, as a user would.
 * @param {string} folder
 * @param {string} [code] of `src/handlers/index.ts`
 * @param {string[]} [options] of the compiler
 * @param {string} [compiler] the program of another build. Default: this repository's
 * @returns {Promise<string>} its program, to be run with node
 */
export async function compileAdd(folder, code = handlers, options = [], compiler) {
  const [source, project] = [path.join(folder, 'sums.json'), path.join(folder, 'sums-mcp')];
  await writeFile(source, JSON.stringify(document));
  await compile(['openapi', source, '-o', project, ...options], compiler);
  await writeFile(path.join(project, 'src/handlers/index.ts'), code);
  await compile(['generate', project], compiler);
  return path.join(project, 'dist/main.js');
}

/**
 * The same, asking callers for a token.
 * @param {string} folder
 * @param {string} [compiler]
 * @returns {Promise<string>} its program
 */
export async function compileGuarded(folder, compiler) {
  const below = path.join(folder, 'guarded');
  await mkdir(path.join(below, 'node_modules'), { recursive: true });
  await symlink(path.join(root, 'node_modules/jose'), path.join(below, 'node_modules/jose'));
  return compileAdd(below, handlers, ['--auth', 'oauth'], compiler);
}

/**
 * The same, with metrics.
 * @param {string} folder
 * @returns {Promise<string>} its program
 */
export async function compileMeasured(folder) {
  const below = path.join(folder, 'measured');
  await mkdir(below);
  return compileAdd(below, handlers, ['--feature', 'metrics']);
}

const annotated = `/** Add two numbers. @tool */
export function add(a: number, b: number): { sum: number } {
  return { sum: a + b };
}
`;

/**
 * Compiles the same tool as an annotated function.
 * @param {string} folder
 * @returns {Promise<string>} its program
 */
export async function compileAddFunction(folder) {
  const [source, project] = [path.join(folder, 'sums.ts'), path.join(folder, 'sums-functions')];
  await writeFile(source, annotated);
  await compile(['ts', source, '-o', project]);
  return path.join(project, 'dist/main.js');
}

async function compile(args, compiler) {
  const ended = await mcpgen(args, { cwd: root, compiler });
  if (ended.code !== 0) throw new Error(`mcpgen ${args.join(' ')} failed:\n${ended.stderr}`);
}
