/** Resolves the file that Node loads for a package, which differs from the file with its types. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from 'ts-morph';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { withSlashes } from '../program/find-files.ts';
import { toPackageName, readManifest } from './dependencies.ts';

/** Node's conditions of package.json, without guessing extensions. */
const AS_NODE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['node-addons', 'module-sync'],
  allowJs: true,
  resolveJsonModule: true,
  noDtsResolution: true,
};

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

  /** Types alone do not count. */
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

/**
 * Returns the folder of the user's unbuilt project behind an import (TypeScript project references); empty for files,
 * registry packages and built projects.
 */
export function unbuiltProject(specifier: string, file: string, cwd: string): string {
  const name = toPackageName(specifier);
  const folder = name === undefined ? undefined : packageFolder(name, dirname(file));
  if (folder === undefined || /[/\\]node_modules[/\\]/.test(folder)) return '';
  const isProject = existsSync(join(folder, 'tsconfig.json'));
  return isProject && namesMissing(folder) ? withSlashes(relative(cwd, folder)) || '.' : '';
}

function packageFolder(name: string, from: string): string | undefined {
  const place = join(from, 'node_modules', name);
  if (existsSync(place)) return realpathSync(place);
  const parent = dirname(from);
  return parent === from ? undefined : packageFolder(name, parent);
}

function namesMissing(folder: string): boolean {
  const { exports, main, types } = readManifest(folder) ?? {};
  const named = [exports, main, types].flatMap(textsIn).filter((each) => !each.includes('*'));
  return named.some((each) => !existsSync(join(folder, each)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
