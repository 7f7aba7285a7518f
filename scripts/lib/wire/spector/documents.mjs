/** The documents and scenarios of TypeSpec's `http-specs`, and their emitted projects. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from '../../repository.mjs';
import { inParallel, mcpgenOrThrow, runOrThrow } from '../../run.mjs';
import { start } from '../../start.mjs';
import { readBindings } from '../project.mjs';

/** Documents that are compiled at a time. */
const width = 2;

/**
 * Writes documents and scenarios as data. `baseUrl`: where Spector will be; `choice`: versions of OpenAPI; `only`:
 * words with commas, of which one is in a scenario's folder.
 */
export async function prepare(tools, folder, baseUrl, { versions, only = '' }) {
  const program = inRepository('test/judges/spector/prepare.mjs');
  await runOrThrow(tools.node(22), [program, folder, baseUrl, versions.join(','), only], {
    cwd: path.dirname(program),
  });
  return JSON.parse(await readFile(path.join(folder, 'judge.json'), 'utf8'));
}

/** With project and bindings. */
export function compileAll(documents) {
  return inParallel(documents, width, async (document) => {
    const project = document.file.replace(/\.json$/, '-mcp');
    await mcpgenOrThrow(['openapi', document.file, '-o', project, '--quiet']);
    return { ...document, project, bindings: await readBindings(project) };
  });
}

/** Serves the scenarios, and checks each request. `stop` gives which of them it saw done rightly. */
export async function startSpector(tools, folder, port) {
  const coverageFile = path.join(folder, 'coverage.json');
  const program = tools.path('@typespec/spector/cmd/cli.mjs');
  const specs = tools.path('@typespec/http-specs/specs');
  const args = [program, 'serve', specs, '--port', String(port), '--coverageFile', coverageFile];
  const origin = `http://127.0.0.1:${port}`;
  const { ended } = await start({ command: tools.node(22), args, health: `${origin}/.admin/health` });
  const stop = async () => {
    await fetch(`${origin}/.admin/stop`, { method: 'POST' });
    await ended;
    const [{ results }] = JSON.parse(await readFile(coverageFile, 'utf8'));
    return results;
  };
  return { origin, stop };
}
