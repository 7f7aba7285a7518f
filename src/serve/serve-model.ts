/** Runs a server from its model, with the same runtime as in emitted projects. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Feature, ServerDefinition } from '../../templates/runtime/feature.ts';
import type { Modules } from '../../templates/runtime/features/functions/instances.ts';
import { recordRunFile } from '../diagnostics/running-code.ts';
import { pickDefinitionMembers } from '../emit/code-files.ts';
import {
  hasMock,
  printBindings,
  printCatalog,
  printSearch,
  printMock,
  printSkills,
} from '../emit/data-files.ts';
import { hasApi, listRefusedSettings } from '../emit/features.ts';
import { listFunctionModules } from '../emit/print-functions.ts';
import type { AppFiles } from '../model/app-files.ts';
import { type FeatureRow, FEATURES } from '../model/feature-table.ts';
import type { ServerModel } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ChangedList } from './live-server.ts';
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
  const { run } = await import('../../templates/runtime/run.ts');
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
  const load = async (): Promise<{ server: ServerDefinition }> => ({ server: await files.define(served) });
  if (begun === undefined) return run(load, host);
  const { LiveServer } = await import('./live-server.ts');
  return run(load, host, {
    open: (definition, options) =>
      new LiveServer(definition, options, (live) =>
        begun(async (next) => live.replace(await files.define(next))),
      ),
  });
}

export interface ServedModel {
  model: ServerModel;
  app?: AppFiles | undefined;
  /** Imports the user's own files in the place of their compiled copies. */
  load?: ((file: string) => Promise<object>) | undefined;
}

/** Callers of a server without a project need no token: the package that checks them belongs to a project. */
const OF_CALLERS = new Set(['oauth', 'dpop', 'exchange']);

/** The definitions of servers that run without a project. Their code lies in a private folder, which is removed when they end. */
export class ServedFiles {
  #folder: string | undefined;
  #app: ServedApp | undefined;

  async define({ model, app, load }: ServedModel): Promise<ServerDefinition> {
    const { info, instructions, meta } = pickDefinitionMembers(model);
    const rows = FEATURES.filter(
      ({ name }) =>
        !OF_CALLERS.has(name) &&
        // Its tools are listed where a project names it.
        name !== 'steps' &&
        (name !== 'api' || hasApi(model)) &&
        (name !== 'skills' || model.skills !== undefined),
    );
    const modules = app === undefined ? {} : await this.#loadModules(app, model, load);
    return {
      ...omitUndefined({ info, instructions, meta }),
      // A project has these files in `src/generated/`.
      generated: {
        'catalog.json': printCatalog(model),
        'bindings.json': printBindings(model, true, {
          requires: [],
          refuses: await listRefusedSettings(rows),
        }),
        'search.json': printSearch(model),
        ...(model.skills !== undefined && { 'skills.json': printSkills(model.skills) }),
        ...(hasMock(model) && { 'mock.json': printMock(model) }),
      },
      features: await Promise.all(rows.map((row) => makeFeature(row, model, modules))),
    };
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #loadModules(app: AppFiles, model: ServerModel, load: ServedModel['load']): Promise<Modules> {
    const names = listFunctionModules(model);
    if (load !== undefined) return makeOriginalModules(app, names, load);
    const { ServedApp } = await import('./served-app.ts');
    this.#folder ??= realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-serve-')));
    this.#app ??= await ServedApp.openForThisProcess(join(this.#folder, 'app'));
    return this.#app.writeApp(app, names);
  }
}

async function makeFeature(row: FeatureRow, model: ServerModel, modules: Modules): Promise<Feature> {
  // The table gives factories without their parameters.
  const make = (await row.load()) as (options?: object) => Feature;
  if (row.loadsFunctions !== true) return make(row.options?.({ model }));
  const { functions } = await import('../../templates/runtime/features/functions/index.ts');
  return functions(modules);
}

function makeOriginalModules(
  { files }: AppFiles,
  names: readonly string[],
  load: NonNullable<ServedModel['load']>,
): Modules {
  const origins = new Map(files.map(({ path, origin }) => [path.replace(/^src\//, ''), origin]));
  return Object.fromEntries(
    names.map((name) => [name, () => load(pathToFileURL(origins.get(name) ?? name).href)]),
  );
}
