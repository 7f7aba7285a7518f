/** Runs a server straight from its model, with the very runtime that emitted projects carry. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerDefinition } from '../../templates/runtime/definition.ts';
import { printBindings } from '../emit/data/print-bindings.ts';
import { printCatalog } from '../emit/data/print-catalog.ts';
import { printMock } from '../emit/data/print-mock.ts';
import type { ServerModel } from '../model/server-model.ts';

/** Serves until the client goes or the process is told to stop. `args` are the server's. Resolves to the exit code. */
export async function serveModel(model: ServerModel, args: readonly string[]): Promise<number> {
  const { run } = await import('../../templates/runtime/main/run.ts');
  process.argv.splice(2, process.argv.length, ...args);
  return run(() => Promise.resolve({ server: definitionOf(model, writeData(model)) }), process);
}

/** The runtime reads its data from a folder: a private one, gone when the process is. */
function writeData(model: ServerModel): URL {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-serve-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'catalog.json'), printCatalog(model));
  writeFileSync(join(folder, 'bindings.json'), printBindings(model));
  if (model.mock !== undefined) writeFileSync(join(folder, 'mock.json'), printMock(model.mock));
  return pathToFileURL(`${folder}/`);
}

function definitionOf(model: ServerModel, generated: URL): ServerDefinition {
  const { name, version, title, description, documentationUrl, icons, instructions } = model;
  return {
    info: {
      name,
      version,
      title,
      description,
      ...(documentationUrl === undefined ? {} : { websiteUrl: documentationUrl }),
      ...(icons === undefined ? {} : { icons }),
    },
    ...(instructions === undefined ? {} : { instructions }),
    generated,
  };
}
