/** The road of a compilation: the modules of the compiler that work more when a document has one more query parameter in style `deepObject`. */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { inRepository } from '../repository.mjs';
import { withTempFolder } from '../temp.mjs';

/** Most files between the document and `bindings.json`. */
export const MOST_FILES = 12;

const plain = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const schema = { type: 'object', properties: { status: { type: 'string' } } };
const deepObject = { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema };
/** What a road is beside: the document without the parameter, or with the same object in the usual style. */
const BESIDE = { without: [plain], form: [plain, { name: 'filter', in: 'query', explode: true, schema }] };

function makeDocument(parameters) {
  return {
    openapi: '3.1.0',
    info: { title: 'Road', version: '1.0.0' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets': {
        get: {
          operationId: 'listPets',
          summary: 'List pets',
          parameters,
          responses: { 200: { description: 'Pets.' } },
        },
      },
    },
  };
}

/**
 * @param {keyof typeof BESIDE} beside
 * @returns {Promise<{ file: string, names: string[] }[]>} the functions that ran more often, by file below `src/`
 */
export function readCompileRoad(beside) {
  return withTempFolder('compile-road', async (folder) => {
    const { compile } = await import(pathToFileURL(inRepository('dist/src/index.js')).href);
    const run = async (name, parameters) => {
      const source = path.join(folder, `${name}.json`);
      await writeFile(source, JSON.stringify(makeDocument(parameters)));
      const { ok, diagnostics } = await compile({ source });
      if (!ok) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    };
    // What loads at first use, and what is kept, must not count.
    for (const parameters of [BESIDE[beside], [plain, deepObject]]) await run('warm', parameters);
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const count = async (name, parameters) => {
      await session.post('Profiler.takePreciseCoverage');
      await run(name, parameters);
      return countCalls((await session.post('Profiler.takePreciseCoverage')).result);
    };
    const without = await count('without', BESIDE[beside]);
    const counted = await count('with', [plain, deepObject]);
    session.disconnect();
    return [...counted]
      .map(([file, functions]) => {
        const names = [...functions]
          .filter(([place, { count: calls }]) => calls > (without.get(file)?.get(place)?.count ?? 0))
          .map(([, { name }]) => name);
        return { file, names };
      })
      .filter(({ names }) => names.length > 0);
  });
}

/** @returns {Map<string, Map<number, { name: string, count: number }>>} by file below `src/`, then by offset */
function countCalls(coverage) {
  const root = `${pathToFileURL(inRepository('dist/src')).href}/`;
  const files = coverage
    .filter(({ url }) => url.startsWith(root))
    .map(({ url, functions }) => [
      url.slice(root.length).replace(/\.js$/, '.ts'),
      new Map(
        functions
          // The whole module begins at 0.
          .filter(({ ranges: [range] }) => range.startOffset > 0)
          .map(({ functionName, ranges: [range] }) => [
            range.startOffset,
            { name: functionName || '(anonymous)', count: range.count },
          ]),
      ),
    ]);
  return new Map(files);
}
