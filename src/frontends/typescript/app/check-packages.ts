/**
 * Checks that imports of packages work at run time. TypeScript read a package's types, but Node resolves another file
 * by its own rules.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { isImportCall } from './beyond-types.ts';
import type { Carried } from './carry.ts';
import { hasExport } from './has-export.ts';
import { importedNames } from './imported-names.ts';
import { type ModuleSpecifier, moduleSpecifiers } from './module-specifiers.ts';
import { PackageModules } from './package-module.ts';
import { packageOf } from './package-of.ts';
import { isErased, isTypeName } from './type-modifiers.ts';
import { unbuiltProject } from './unbuilt-project.ts';
import { isJson } from './layout.ts';

/** CommonJS modules resolve packages by other rules, and find every name. */
export async function checkPackages(
  source: SourceProgram,
  { files, layout, modules }: Carried,
): Promise<void> {
  const esModules = files.filter(
    (file) => !isJson(file) && !file.isDeclarationFile && !/\.c[jt]s$/.test(layout.pathOf(file)),
  );
  const packages = new PackageModules();
  for (const file of esModules) {
    for (const specifier of moduleSpecifiers(file)) {
      const { literal, owner, isType } = specifier;
      const { own, fileName } = modules.find(literal);
      const isOther = own === undefined && fileName?.startsWith(`${source.runtimeTypes}/`) !== true;
      // `require` resolves packages by other rules, and finds every name.
      const isImported = !ts.isCallExpression(owner) || isImportCall(owner);
      if (isOther && isImported && !isType && !isErased(owner, source.checker))
        await checkPackage(source, packages, specifier, fileName);
    }
  }
}

async function checkPackage(
  source: SourceProgram,
  packages: PackageModules,
  { literal, owner }: ModuleSpecifier,
  types: string | undefined,
): Promise<void> {
  const { diagnostics, originOf } = source;
  const specifier = literal.text;
  const at = originOf(literal);
  if (!isPackageHere(literal, packages)) {
    if (isAlias(specifier, types)) diagnostics.report('alias-of-package', { specifier }, { at });
    return;
  }
  const file = packages.fileOf(literal);
  if (file === undefined) {
    const unbuilt = unbuiltProject(
      specifier,
      literal.getSourceFile().fileName,
      source.program.getCurrentDirectory(),
    );
    diagnostics.report('package-not-loadable', { specifier, unbuilt }, { at });
  } else if (/\.[mc]?tsx?$/.test(file)) diagnostics.report('package-of-typescript', { specifier }, { at });
  else if (packages.mayBeCommon(file)) {
    await checkNames(source, specifier, file, owner);
    await checkDefault(source, specifier, file, owner);
  }
}

function isPackageHere(literal: ts.StringLiteralLike, packages: PackageModules): boolean {
  const name = packageOf(literal.text);
  return name !== undefined && packages.isInstalled(name, dirname(literal.getSourceFile().fileName));
}

/** An alias for a package: `imports` in package.json, or `paths` in tsconfig.json. */
function isAlias(specifier: string, types: string | undefined): boolean {
  if (specifier.startsWith('#')) return true;
  const isFound = types?.includes('/node_modules/') === true && !types.includes('/node_modules/@types/');
  return isFound && packageOf(specifier) !== undefined;
}

/** Node guesses a CommonJS module's exports from its text, which may hide some. */
async function checkNames(
  { checker, diagnostics, originOf }: SourceProgram,
  specifier: string,
  file: string,
  owner: ts.Node,
): Promise<void> {
  for (const { name, node } of importedNames(owner, checker))
    if (!(await hasExport(file, name)))
      diagnostics.report('name-hidden-in-package', { name, specifier }, { at: originOf(node) });
}

/**
 * TypeScript may treat `exports.default` of a module with `__esModule` as the default export. Node uses
 * `module.exports`, unless the module makes both the same.
 */
async function checkDefault(
  { checker, diagnostics, originOf }: SourceProgram,
  specifier: string,
  file: string,
  owner: ts.Node,
): Promise<void> {
  const name = ts.isImportDeclaration(owner) ? owner.importClause?.name : undefined;
  if (name === undefined || isTypeName(name, checker)) return;
  if (name.getSourceFile().impliedNodeFormat === ts.ModuleKind.ESNext) return;
  if (/\bmodule\.exports\s*=[^=]/.test(readFileSync(file, 'utf8'))) return;
  if (await hasExport(file, '__esModule'))
    diagnostics.report('default-of-commonjs', { name: name.text, specifier }, { at: originOf(name) });
}
