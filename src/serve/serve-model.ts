/** Runs a server from its model, with the same runtime as in emitted projects. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { allFeatures } from '../../templates/runtime/all-features.ts';
import type { ChangedList } from '../../templates/runtime/core/replace-server.ts';
import type { FunctionModules, ServerDefinition } from '../../templates/runtime/definition.ts';
import { FEATURES } from '../../templates/runtime/features.ts';
import type { Watch } from '../../templates/runtime/main/open-project.ts';
import { recordRunFile } from '../diagnostics/running-code.ts';
import {
  hasMock,
  printBindings,
  printCatalog,
  printFeatures,
  printMock,
  printSearch,
  printSkills,
} from '../emit/data-files.ts';
import { pickDefinitionMembers } from '../emit/code-files.ts';
import { findFunctionTraits, listFunctionModules } from '../emit/print-functions.ts';
import type { AppFiles } from '../model/app-files.ts';
import type { ServerModel } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ServedApp } from './served-app.ts';

/** Replaces the running server. Rejects if the next one cannot be served; the old one then stays. */
export type Replace = (next: ServedModel) => Promise<ChangedList[]>;

/** The process that a server takes over. */
export interface Serving {
  process: NodeJS.Process;
  /** Ends the command's diversion of stdout and its guard. */
  release: () => void;
}

/**
 * Serves until the client disconnects or a signal stops the process. `args` are for the server. Resolves to the exit code.
 *
 * @param begun receives the function that replaces the server, before the first message is read
 */
export async function serveModel(
  served: ServedModel,
  args: readonly string[],
  { process: host, release }: Serving,
  begun?: (replace: Replace) => void,
): Promise<number> {
  const { run } = await import('../../templates/runtime/main/run.ts');
  release();
  // With source maps, stack traces point into the user's source.
  if (served.app !== undefined) host.setSourceMapsEnabled(true);
  const files = new ServedFiles();
  host.once('exit', () => files.remove());
  host.argv.splice(2, host.argv.length, ...args);
  // A command that tries a source opens no second port unless it is asked to.
  host.env['MCP_METRICS_PORT'] ??= 'off';
  // Shows error details, since whoever calls a function here is its author.
  if (served.app !== undefined) host.env['MCP_SHOW_ERRORS'] ??= '1';
  for (const { origin, built } of served.app?.files ?? []) if (built) recordRunFile(origin);
  const load = async (): Promise<{ server: ServerDefinition }> => ({
    server: await files.writeModelFiles(served),
  });
  if (begun === undefined) return run(load, host);
  const { replaceServer } = await import('../../templates/runtime/core/replace-server.ts');
  const watchReplacements: Watch = (live, open) => {
    begun(async (next) => replaceServer(live, await open(await files.writeModelFiles(next), live.current)));
  };
  return run(load, host, { watch: watchReplacements });
}

export interface ServedModel {
  model: ServerModel;
  app?: AppFiles | undefined;
  /** Imports the user's own files in the place of their compiled copies. */
  load?: ((file: string) => Promise<object>) | undefined;
}

/** The data of servers that run without a project, in a private folder that is removed when they end. */
export class ServedFiles {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-serve-')));
  #app: ServedApp | undefined;
  #count = 0;

  /** Writes to a new folder each time, since calls in flight may still read the old one. */
  async writeModelFiles({ model, app, load }: ServedModel): Promise<ServerDefinition> {
    const folder = join(this.#folder, 'data', String((this.#count += 1)));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'catalog.json'), printCatalog(model));
    writeFileSync(join(folder, 'bindings.json'), printBindings(model));
    const features = new Set(FEATURES.map(({ name }) => name));
    writeFileSync(join(folder, 'features.json'), printFeatures(features, model));
    writeFileSync(join(folder, 'search.json'), printSearch(model));
    if (model.skills !== undefined) writeFileSync(join(folder, 'skills.json'), printSkills(model.skills));
    if (hasMock(model)) writeFileSync(join(folder, 'mock.json'), printMock(model));
    const functions = app && {
      ...(await this.#loadFunctions(app, model, load)),
      ...findFunctionTraits(model),
    };
    return {
      ...pickDefinitionMembers(model),
      generated: pathToFileURL(`${folder}/`),
      features: allFeatures,
      ...omitUndefined({ functions }),
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #loadFunctions(
    app: AppFiles,
    model: ServerModel,
    load: ServedModel['load'],
  ): Promise<FunctionModules> {
    const names = listFunctionModules(model);
    const loadFunctionsRuntime: FunctionModules['runtime'] = () =>
      import('../../templates/runtime/functions/index.ts');
    if (load !== undefined)
      return { runtime: loadFunctionsRuntime, modules: makeOriginalModules(app, names, load) };
    const { ServedApp } = await import('./served-app.ts');
    this.#app ??= await ServedApp.openForThisProcess(join(this.#folder, 'app'));
    return { runtime: loadFunctionsRuntime, modules: this.#app.writeApp(app, names) };
  }
}

function makeOriginalModules(
  { files }: AppFiles,
  names: readonly string[],
  load: NonNullable<ServedModel['load']>,
): FunctionModules['modules'] {
  const origins = new Map(files.map(({ path, origin }) => [path.replace(/^src\//, ''), origin]));
  return Object.fromEntries(
    names.map((name) => [name, () => load(pathToFileURL(origins.get(name) ?? name).href)]),
  );
}
