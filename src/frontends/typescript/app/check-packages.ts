/** Checks packages: TypeScript read their types, but Node resolves another file by its own rules. */
import { dirname } from 'node:path';
import { ts } from 'ts-morph';

import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';
import { toPackageName } from './dependencies.ts';
import { moduleSpecifiers } from './module-specifiers.ts';
import {
  type PackageResolver,
  isInstalled,
  createPackageResolver,
  findUnbuiltProject,
} from './package-module.ts';
import { importsOnlyTypes, isImportCall } from './type-erasure.ts';

export function checkPackages(source: SourceProgram, { files, layout, modules }: Carried): void {
  const esModules = files.filter(
    (file) => !isJson(file) && !file.isDeclarationFile && !/\.c[jt]s$/.test(layout.pathOf(file)),
  );
  const resolve = createPackageResolver();
  for (const file of esModules) {
    for (const { literal, owner, isType } of moduleSpecifiers(file)) {
      const { ownFile, fileName } = modules.resolveModule(literal);
      const isOther = ownFile === undefined && fileName?.startsWith(`${source.runtimeTypes}/`) !== true;
      // `require` resolves packages by other rules, and finds every name.
      const isImported = !ts.isCallExpression(owner) || isImportCall(owner);
      if (isOther && isImported && !isType && !importsOnlyTypes(owner, source.checker))
        checkPackage(source, resolve, literal, fileName);
    }
  }
}

function checkPackage(
  source: SourceProgram,
  resolve: PackageResolver,
  literal: ts.StringLiteralLike,
  types: string | undefined,
): void {
  const { diagnostics, originOf } = source;
  const specifier = literal.text;
  const at = originOf(literal);
  if (!isInstalledPackage(literal)) {
    if (isAlias(specifier, types))
      diagnostics.report(
        'code-not-loadable',
        {
          specifier,
          problem: 'is an alias in your configuration for a package, and the server would not find it',
          fix: 'Import the package by its own name.',
        },
        { at },
      );
    return;
  }
  const file = resolve(literal);
  if (file === undefined) {
    const unbuilt = findUnbuiltProject(
      specifier,
      literal.getSourceFile().fileName,
      source.program.getCurrentDirectory(),
    );
    const problem =
      'belongs to an installed package, but Node finds no such module in it: TypeScript only read types';
    const fix =
      'Use an exported name of the package, or the full path of a file with its extension. Import types with `import type`.';
    diagnostics.report('code-not-loadable', { specifier, problem, fix, unbuilt }, { at });
  } else if (/\.[mc]?tsx?$/.test(file)) {
    const problem = 'is TypeScript in node_modules, which Node does not run';
    const fix =
      'Build the package to JavaScript, link it from your workspace, so that mcpgen copies it as your own code, or import its code with a relative path.';
    diagnostics.report('code-not-loadable', { specifier, problem, fix }, { at });
  }
}

function isInstalledPackage(literal: ts.StringLiteralLike): boolean {
  const name = toPackageName(literal.text);
  return name !== undefined && isInstalled(name, dirname(literal.getSourceFile().fileName));
}

/** An alias for a package: `imports` in package.json, or `paths` in tsconfig.json. */
function isAlias(specifier: string, types: string | undefined): boolean {
  if (specifier.startsWith('#')) return true;
  const isFound = types?.includes('/node_modules/') === true && !types.includes('/node_modules/@types/');
  return isFound && toPackageName(specifier) !== undefined;
}
