/** Resolves the file that Node loads for a package, which differs from the file with its types. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ts } from 'ts-morph';
import { readManifest } from './dependencies.ts';

/** Node's conditions of package.json, without guessing extensions. */
const AS_NODE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['node-addons', 'module-sync'],
  allowJs: true,
  resolveJsonModule: true,
  noDtsResolution: true,
};

/** Looks up each package folder once, however many files import it. */
export class PackageModules {
  readonly #cache = ts.createModuleResolutionCache('/', (name) => name, AS_NODE);
  readonly #installed = new Map<string, boolean>();
  readonly #esModules = new Map<string, boolean>();

  /** Undefined if Node finds nothing. */
  fileOf(literal: ts.StringLiteralLike): string | undefined {
    const { fileName } = literal.getSourceFile();
    const mode = ts.ModuleKind.ESNext;
    return ts.resolveModuleName(literal.text, fileName, AS_NODE, ts.sys, this.#cache, undefined, mode)
      .resolvedModule?.resolvedFileName;
  }

  /** The types alone may be installed. */
  isInstalled(name: string, folder: string): boolean {
    const parent = dirname(folder);
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return known(
      this.#installed,
      manifest,
      () => existsSync(manifest) || (parent !== folder && this.isInstalled(name, parent)),
    );
  }

  /** Whether Node may load a file as CommonJS; its text decides if neither extension nor package does. */
  mayBeCommon(file: string): boolean {
    if (!file.endsWith('.js')) return file.endsWith('.cjs');
    return !this.#areEsModules(dirname(file));
  }

  #areEsModules(folder: string): boolean {
    return known(this.#esModules, folder, () => {
      const manifest = readManifest(folder);
      const parent = dirname(folder);
      if (manifest !== undefined || parent === folder) return manifest?.['type'] === 'module';
      return this.#areEsModules(parent);
    });
  }
}

function known<T>(answers: Map<string, T>, key: string, find: () => T): T {
  const answer = answers.get(key);
  if (answer !== undefined) return answer;
  const found = find();
  answers.set(key, found);
  return found;
}
