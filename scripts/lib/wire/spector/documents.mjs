/** The documents and scenarios of TypeSpec's `http-specs`, and their emitted projects. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from '../../repository.mjs';
import { inParallel, runOrThrow } from '../../run.mjs';
import { compileProject, readBindings } from '../project.mjs';

/**
 * @typedef {object} SpecDocument
 * @property {string} spec the folder of the scenarios it is for: `payload/xml`
 * @property {string} openapi `3.0.0`, `3.1.0` or `3.2.0`
 * @property {string} [version] of the API, where the service has several
 * @property {string} file
 * @property {string} project
 * @property {object} bindings
 */

/** Documents that are compiled at a time. */
const width = 2;

/**
 * Writes documents and scenarios as data.
 * @param {import('../../tools.mjs').Tools} tools
 * @param {string} folder
 * @param {string} baseUrl where Spector will be
 * @param {{ versions: string[], only?: string }} choice versions of OpenAPI; `only`: words with commas, of which one is in a scenario's folder
 * @returns {Promise<{ documents: SpecDocument[], scenarios: object[] }>}
 */
export async function prepare(tools, folder, baseUrl, { versions, only = '' }) {
  const program = inRepository('test/judges/spector/prepare.mjs');
  await runOrThrow(tools.node(22), [program, folder, baseUrl, versions.join(','), only], {
    cwd: path.dirname(program),
  });
  return JSON.parse(await readFile(path.join(folder, 'judge.json'), 'utf8'));
}

/**
 * @param {SpecDocument[]} documents
 * @returns {Promise<SpecDocument[]>} with project and bindings
 */
export function compileAll(documents) {
  return inParallel(documents, width, async (document) => {
    const project = document.file.replace(/\.json$/, '-mcp');
    await compileProject(document.file, project);
    return { ...document, project, bindings: await readBindings(project) };
  });
}
