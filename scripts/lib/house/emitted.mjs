/** Compiles documents and functions, and counts what is to be committed of each project: all but `dist/`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { cli, root } from '../repository.mjs';
import { run } from '../run.mjs';
import { withTempFolder } from '../temp.mjs';

const TWO_TOOLS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Two tools', version: '1.0.0' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'Pets' } } } },
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'A pet' } },
      },
    },
  },
});
const ONE_FUNCTION = `/**
 * Adds two numbers.
 * @tool
 */
export function add(a: number, b: number): number {
  return a + b;
}
`;
const inRoot = (file) => path.join(root, file);

const petstore = inRoot('fixtures/petstore.yaml');

/** @returns {Promise<(string | number)[][]>} rows: name, files, kB, kB of data in src/generated, files and lines in src/runtime */
export function emittedSizes() {
  const github = inRoot('../shared/corpus/github.json');
  const sources = [
    ['petstore', ['openapi', petstore]],
    ['petstore over stdio alone', ['generate', 'stdio']],
    ['petstore, bundled', ['openapi', petstore, '--runtime', 'bundled']],
    ['a document with 2 tools', ['openapi', 'two.json']],
    ['one function', ['ts', 'add.ts']],
    ['shop', ['openapi', inRoot('fixtures/shop.yaml')]],
    ['trip', ['generate', inRoot('fixtures/mixed/trip')]],
    ...(existsSync(github) ? [['GitHub', ['openapi', github]]] : []),
  ];
  return withTempFolder('house', async (folder) => {
    writeFileSync(path.join(folder, 'two.json'), TWO_TOOLS);
    writeFileSync(path.join(folder, 'add.ts'), ONE_FUNCTION);
    mkdirSync(path.join(folder, 'stdio'));
    writeFileSync(
      path.join(folder, 'stdio/mcpgen.config.json'),
      JSON.stringify({ source: petstore, features: ['stdio'] }),
    );
    const rows = [];
    for (const [name, args] of sources) rows.push([name, ...(await compile(folder, name, args))]);
    return rows;
  });
}

async function compile(folder, name, args) {
  const out = path.join(folder, name.replaceAll(' ', '-'));
  const { code, stderr } = await run(process.execPath, [cli, ...args, '-o', out], { cwd: folder });
  if (code !== 0) throw new Error(`${name}: ${stderr}`);
  return sizesIn(out);
}

function sizesIn(project) {
  const files = readdirSync(project, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) => !/^(?:dist|node_modules)(?:\/|$)/.test(file) && statSync(path.join(project, file)).isFile(),
    );
  const runtime = files.filter((file) => file.startsWith('src/runtime/'));
  const kilobytes = (all) =>
    Math.round(all.reduce((sum, file) => sum + statSync(path.join(project, file)).size, 0) / 1000);
  const lines = runtime.reduce(
    (sum, file) => sum + readFileSync(path.join(project, file), 'utf8').split('\n').length - 1,
    0,
  );
  const data = files.filter((file) => file.startsWith('src/generated/'));
  return [files.length, kilobytes(files), kilobytes(data), runtime.length, lines];
}
