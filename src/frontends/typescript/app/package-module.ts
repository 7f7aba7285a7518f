/** Resolves the file that Node loads for a package, which differs from the file with its types. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from 'ts-morph';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { findAbove } from '../../../util/find-above.ts';
import { toPosixPath } from '../program/find-files.ts';
import { toPackageName, readManifest } from './dependencies.ts';

const AS_NODE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['node-addons', 'module-sync'],
  allowJs: true,
  resolveJsonModule: true,
  noDtsResolution: true,
};

export type PackageResolver = (literal: ts.StringLiteralLike) => string | undefined;

export function createPackageResolver(): PackageResolver {
  const cache = ts.createModuleResolutionCache('/', (name) => name, AS_NODE);
  return (literal) => {
    const { fileName } = literal.getSourceFile();
    const mode = ts.ModuleKind.ESNext;
    return ts.resolveModuleName(literal.text, fileName, AS_NODE, ts.sys, cache, undefined, mode)
      .resolvedModule?.resolvedFileName;
  };
}

/** Whether a package is installed; its types alone do not count. */
export function isInstalled(name: string, from: string): boolean {
  const hasPackage = (folder: string): true | undefined =>
    existsSync(join(folder, 'node_modules', name, 'package.json')) || undefined;
  return findAbove(from, hasPackage) === true;
}

/**
 * Returns the folder of the user's unbuilt project behind an import (TypeScript project references); empty for files,
 * registry packages and built projects.
 */
export function findUnbuiltProject(specifier: string, file: string, cwd: string): string {
  const name = toPackageName(specifier);
  const folder = name === undefined ? undefined : packageFolder(name, dirname(file));
  if (folder === undefined || /[/\\]node_modules[/\\]/.test(folder)) return '';
  const isProject = existsSync(join(folder, 'tsconfig.json'));
  return isProject && hasMissingEntry(folder) ? toPosixPath(relative(cwd, folder)) || '.' : '';
}

function packageFolder(name: string, from: string): string | undefined {
  return findAbove(from, (folder) => {
    const place = join(folder, 'node_modules', name);
    return existsSync(place) ? realpathSync(place) : undefined;
  });
}

function hasMissingEntry(folder: string): boolean {
  const { exports, main, types } = readManifest(folder) ?? {};
  const paths = [exports, main, types].flatMap(listNestedStrings).filter((each) => !each.includes('*'));
  return paths.some((each) => !existsSync(join(folder, each)));
}

function listNestedStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap(listNestedStrings) : [];
}
