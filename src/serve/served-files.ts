/** The data of a server that runs without a project, in a private folder that is removed when the process ends. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allFeatures } from '../../templates/runtime/all-features.ts';
import type { ServerDefinition, FunctionModules } from '../../templates/runtime/definition.ts';
import { FEATURES } from '../../templates/runtime/features.ts';
import { printBindings } from '../emit/data/print-bindings.ts';
import { printCatalog } from '../emit/data/print-catalog.ts';
import { printFeatures } from '../emit/data/print-features.ts';
import { hasMock, printMock } from '../emit/data/print-mock.ts';
import { hasApi } from '../emit/has-api.ts';
import { functionTraits, modulesOf } from '../emit/print-functions.ts';
import type { AppFiles } from '../model/app-files.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { ServedApp } from './served-app.ts';
import { definedMembers } from '../util/defined-members.ts';

export interface Served {
  model: ServerModel;
  /** The user's own code, if there is some. */
  app?: AppFiles | undefined;
}

export class ServedFiles {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-serve-')));
  #app: ServedApp | undefined;
  #count = 0;

  /** Writes to a new folder each time, since calls in flight may still read the old one. */
  async write({ model, app }: Served): Promise<ServerDefinition> {
    const folder = join(this.#folder, 'data', String((this.#count += 1)));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'catalog.json'), printCatalog(model));
    writeFileSync(join(folder, 'bindings.json'), printBindings(model));
    writeFileSync(join(folder, 'features.json'), printFeatures(new Set(FEATURES.map(({ name }) => name))));
    if (hasMock(model)) writeFileSync(join(folder, 'mock.json'), printMock(model));
    const functions = app && { ...(await this.#loadFunctions(app, model)), ...functionTraits(model) };
    return {
      ...makeDefinition(model),
      generated: pathToFileURL(`${folder}/`),
      features: allFeatures,
      ...definedMembers({ functions }),
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #loadFunctions(app: AppFiles, model: ServerModel): Promise<FunctionModules> {
    const { ServedApp } = await import('./served-app.ts');
    this.#app ??= await ServedApp.in(join(this.#folder, 'app'));
    return {
      runtime: () => import('../../templates/runtime/functions/index.ts'),
      modules: this.#app.write(app, modulesOf(model)),
    };
  }
}

function makeDefinition(model: ServerModel): Omit<ServerDefinition, 'generated'> {
  const { name, version, title, description, documentationUrl: websiteUrl, icons, instructions } = model;
  return {
    info: { name, version, title, description, ...definedMembers({ websiteUrl, icons }) },
    ...definedMembers({ instructions }),
    hasApi: hasApi(model),
  };
}
