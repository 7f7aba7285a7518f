/**
 * Writes the user's own code to a folder that Node can run it from, with links to the user's packages.
 *
 * Node keeps every module that it has loaded, so each version of the code gets a folder of its own. In it, a file that did not
 * change and imports no changed file is a link to the earlier one: it stays the same module, with its state.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AppFile, AppFiles, BuiltAppFile } from '../model/app-files.ts';
import type { Modules } from '../../templates/runtime/features/functions/instances.ts';
import { appendInlineMap } from '../util/inline-map.ts';
import { packageRoot } from '../util/version.ts';

type Runnable = AppFile & { built: BuiltAppFile };

interface Written {
  location: string;
  contents: string;
}

/** The key of this runtime on `globalThis`, where the user's modules find the runtime that calls them. */
const RUNTIME = Symbol.for('mcpgen.runtime');

/** The key of `createRequireBeside` on `globalThis`. */
const REQUIRE = Symbol.for('mcpgen.require');

export class ServedApp {
  readonly #folder: string;
  readonly #files = new Map<string, Written>();
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async openForThisProcess(folder: string): Promise<ServedApp> {
    const runtime: object = await import('../../templates/runtime/index.ts');
    Reflect.set(globalThis, RUNTIME, runtime);
    Reflect.set(globalThis, REQUIRE, createRequireBeside);
    return ServedApp.#writeRuntime(folder, runtimeModule(runtime));
  }

  /** Prepares code for another process to run: it imports the built runtime, not this process's. */
  static openForOtherProcess(folder: string): ServedApp {
    return ServedApp.#writeRuntime(folder, `export * from ${JSON.stringify(builtRuntime().href)};\n`);
  }

  static #writeRuntime(folder: string, module: string): ServedApp {
    mkdirSync(join(folder, 'runtime'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(folder, 'runtime/index.js'), module);
    return new ServedApp(folder);
  }

  writeApp(app: AppFiles, names: readonly string[]): Modules {
    const modules: Record<string, () => Promise<object>> = {};
    for (const [name, location] of this.place(app, names))
      modules[name] = () => import(pathToFileURL(location).href) as Promise<object>;
    return modules;
  }

  /** Returns where each named module is, by its path below the project's `src/`. */
  place({ files, root }: AppFiles, names: readonly string[]): Map<string, string> {
    const built = files.flatMap((file) => (file.built === undefined ? [] : [{ ...file, built: file.built }]));
    const place = this.#mirrorFolders(root, listFolders(built));
    const changed = this.#findChanged(built);
    const locations = new Map(
      built.map((file) => [file.path.replace(/^src\//, ''), this.#placeFile(place, file, changed)]),
    );
    return new Map(
      names.map((name) => {
        const location = locations.get(name);
        if (location === undefined) throw new Error(`There is no ${name} in the code that is served.`);
        return [name, location];
      }),
    );
  }

  /** Makes a folder with links to the packages that the code may import, at the same relative places. */
  #mirrorFolders(root: string, folders: ReadonlySet<string>): string {
    const mirror = join(this.#folder, root.replace(/^[A-Za-z]:/, ''));
    const place = join(mirror, String((this.#count += 1)));
    mkdirSync(place, { recursive: true });
    linkPackages(root, mirror);
    linkFolder(join(this.#folder, 'runtime'), join(place, 'runtime'));
    for (const below of folders) {
      mkdirSync(join(place, 'app', below), { recursive: true });
      linkFolder(join(root, below, 'node_modules'), join(place, 'app', below, 'node_modules'));
    }
    return place;
  }

  /** The paths of files that changed, or that import changed files. */
  #findChanged(files: readonly Runnable[]): ReadonlySet<string> {
    const isChangedFile = ({ path, built }: Runnable): boolean =>
      this.#files.get(path)?.contents !== built.contents;
    const changed = new Set(files.filter(isChangedFile).map(({ path }) => path));
    for (let size = -1; size !== changed.size;) {
      size = changed.size;
      for (const { path, imports } of files)
        if (imports.some((specifier) => changed.has(specifier))) changed.add(path);
    }
    return changed;
  }

  #placeFile(place: string, { path, origin, built }: Runnable, changed: ReadonlySet<string>): string {
    const location = join(place, built.path.replace(/^dist\//, ''));
    const before = changed.has(path) ? undefined : this.#files.get(path);
    if (before !== undefined && linkFile(before.location, location)) return before.location;
    writeFileSync(location, wrapWithOrigin(origin, built, location));
    this.#files.set(path, { location, contents: built.contents });
    return location;
  }
}

function listFolders(files: readonly AppFile[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    const [, , ...parts] = posix.dirname(path).split('/');
    for (let depth = 0; depth <= parts.length; depth += 1) folders.add(parts.slice(0, depth).join('/'));
  }
  return folders;
}

/** Re-exports the serving runtime, so that `instanceof` holds for errors that the user's code throws. Workers have one of their own. */
function runtimeModule(runtime: object): string {
  const names = Object.keys(runtime).join(', ');
  const location = JSON.stringify(fileURLToPath(builtRuntime()));
  return (
    `import { createRequire } from 'node:module';\nconst shared = globalThis[Symbol.for(${JSON.stringify(RUNTIME.description)})];\n` +
    `export const { ${names} } = shared ?? createRequire(import.meta.url)(${location});\n`
  );
}

function builtRuntime(): URL {
  return new URL('dist/templates/runtime/index.js', packageRoot());
}

/**
 * Lets the code see its original place: `import.meta`, `__dirname`, `require`, and the source map. `location` is where it runs,
 * beside the other compiled files.
 */
function wrapWithOrigin(file: string, { contents, map }: BuiltAppFile, location: string): string {
  const { href } = pathToFileURL(file);
  const source = location.endsWith('.cjs')
    ? contents.replace(HEAD, (head) => `${head}${defineCommonJsNames(file)}`)
    : replaceImportMeta(file, contents, location);
  return appendInlineMap(source, map, href);
}

/** The line for the shell and the directive stay first. */
const HEAD = /^(?:#!.*\n)?(?:\s*(?:"use strict"|'use strict');)?/;

function defineCommonJsNames(file: string): string {
  const text = JSON.stringify(file);
  return `__filename=${text};__dirname=${JSON.stringify(dirname(file))};require=${printCreateRequire('require', text)};`;
}

function replaceImportMeta(file: string, contents: string, location: string): string {
  if (!contents.includes('import.meta.')) return contents;
  const { href: running } = pathToFileURL(location);
  const sourceLocation = {
    url: pathToFileURL(file).href,
    filename: file,
    dirname: dirname(file),
  };
  return contents
    .replace(REQUIRE_MADE, (_call, name: string) =>
      printCreateRequire(`${name}(${JSON.stringify(running)})`, JSON.stringify(file)),
    )
    .replace(HEAD, (head) => `${head}Object.assign(import.meta, ${JSON.stringify(sourceLocation)});`);
}

/** Also `module.createRequire`, and `_createRequire` that TypeScript writes for `import a = require('a')`. */
const REQUIRE_MADE = /(?<![\w$.])((?:[\w$]+\.)*_?createRequire(?:_\d+)?)\(import\.meta\.(?:url|filename)\)/g;

function printCreateRequire(location: string, file: string): string {
  // Workers have another `globalThis`.
  return `(globalThis[Symbol.for(${JSON.stringify(REQUIRE.description)})]??((own)=>own))(${location},${file})`;
}

/** Finds compiled files first, then what stands beside the original file. */
function createRequireBeside(ownRequire: NodeJS.Require, file: string): NodeJS.Require {
  const original = createRequire(file);
  const resolveFile = (id: string, options?: NodeJS.RequireResolveOptions): string => {
    try {
      return ownRequire.resolve(id, options);
    } catch {
      return original.resolve(id, options);
    }
  };
  const resolve = Object.assign(resolveFile, { paths: original.resolve.paths });
  return Object.assign((id: string): unknown => ownRequire(resolveFile(id)), { ...ownRequire, resolve });
}

/** Links the packages of the folders above the root; those of the root are linked beside its files. */
function linkPackages(folder: string, mirror: string): void {
  for (let [from, to] = [dirname(folder), dirname(mirror)]; ; [from, to] = [dirname(from), dirname(to)]) {
    linkFolder(join(from, 'node_modules'), join(to, 'node_modules'));
    if (dirname(from) === from) return;
  }
}

function linkFolder(target: string, location: string): void {
  // Windows allows junctions without special rights; other systems ignore the type.
  if (existsSync(target) && !existsSync(location)) symlinkSync(target, location, 'junction');
}

/** Links to the file; false where links need rights that the user lacks. */
function linkFile(target: string, location: string): boolean {
  try {
    symlinkSync(target, location, 'file');
    return true;
  } catch {
    return false;
  }
}
