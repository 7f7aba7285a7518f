/** Checks packages: TypeScript read their types, but Node resolves another file by its own rules. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ts } from 'ts-morph';

import { readStamp } from '../../../util/file-stamp.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';
import { toPackageName } from './dependencies.ts';
import { type ModuleSpecifier, moduleSpecifiers } from './module-specifiers.ts';
import {
  type PackageResolver,
  isInstalled,
  mayLoadAsCommonJs,
  createPackageResolver,
  findUnbuiltProject,
} from './package-module.ts';
import { importsOnlyTypes, isImportCall, isTypeName } from './type-erasure.ts';

export async function checkPackages(
  source: SourceProgram,
  { files, layout, modules }: Carried,
): Promise<void> {
  const esModules = files.filter(
    (file) => !isJson(file) && !file.isDeclarationFile && !/\.c[jt]s$/.test(layout.pathOf(file)),
  );
  const resolve = createPackageResolver();
  // Many files import few packages.
  const kinds = new Map<string, boolean>();
  const isCommonJs = (file: string): boolean => {
    const known = kinds.get(file) ?? mayLoadAsCommonJs(file);
    kinds.set(file, known);
    return known;
  };
  for (const file of esModules) {
    for (const specifier of moduleSpecifiers(file)) {
      const { literal, owner, isType } = specifier;
      const { own, fileName } = modules.resolveModule(literal);
      const isOther = own === undefined && fileName?.startsWith(`${source.runtimeTypes}/`) !== true;
      // `require` resolves packages by other rules, and finds every name.
      const isImported = !ts.isCallExpression(owner) || isImportCall(owner);
      if (isOther && isImported && !isType && !importsOnlyTypes(owner, source.checker))
        await checkPackage(source, { resolve, isCommonJs }, specifier, fileName);
    }
  }
}

interface Packages {
  resolve: PackageResolver;
  isCommonJs: (file: string) => boolean;
}

async function checkPackage(
  source: SourceProgram,
  { resolve, isCommonJs }: Packages,
  { literal, owner }: ModuleSpecifier,
  types: string | undefined,
): Promise<void> {
  const { diagnostics, originOf } = source;
  const specifier = literal.text;
  const at = originOf(literal);
  if (!isInstalledPackage(literal)) {
    if (isAlias(specifier, types)) diagnostics.report('alias-of-package', { specifier }, { at });
    return;
  }
  const file = resolve(literal);
  if (file === undefined) {
    const unbuilt = findUnbuiltProject(
      specifier,
      literal.getSourceFile().fileName,
      source.program.getCurrentDirectory(),
    );
    diagnostics.report('package-not-loadable', { specifier, unbuilt }, { at });
  } else if (/\.[mc]?tsx?$/.test(file)) diagnostics.report('package-of-typescript', { specifier }, { at });
  else if (isCommonJs(file)) {
    await checkNamedImports(source, specifier, file, owner);
    await checkDefaultImport(source, specifier, file, owner);
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

/** Node guesses a CommonJS module's exports from its text, which may hide some. */
async function checkNamedImports(
  { checker, diagnostics, originOf }: SourceProgram,
  specifier: string,
  file: string,
  owner: ts.Node,
): Promise<void> {
  // Default exports always exist.
  for (const { name, node } of importedNames(owner, checker))
    if (name !== 'default' && !(await hasExport(file, name)))
      diagnostics.report('name-hidden-in-package', { name, specifier }, { at: originOf(node) });
}

/**
 * TypeScript may treat `exports.default` of a module with `__esModule` as the default export; Node uses
 * `module.exports`.
 */
async function checkDefaultImport(
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

/** This module throws when it runs. The probe imports it first, so that nothing it imports next is run. */
const STOP = codeToDataUrl("throw new Error('linked');");

/**
 * Whether the module exports the name; true also if it cannot be read or lacks a dependency. The module itself is never run: Node
 * links all modules first, and then runs STOP, which throws.
 */
async function hasExport(file: string, name: string): Promise<boolean> {
  const url = pathToFileURL(file);
  // The parameter bypasses Node's module cache.
  url.searchParams.set('as', readStamp(file) ?? '');
  const probe = `import ${JSON.stringify(STOP)};\nimport { ${JSON.stringify(name)} as found } from ${JSON.stringify(url.href)};`;
  try {
    await import(codeToDataUrl(probe));
  } catch (thrown) {
    return !(thrown instanceof SyntaxError);
  }
  return true;
}

function codeToDataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

interface ImportedName {
  name: string;
  node: ts.Node;
}

function importedNames(owner: ts.Node, checker: ts.TypeChecker): ImportedName[] {
  if (ts.isExportDeclaration(owner)) {
    const { exportClause: clause } = owner;
    return clause !== undefined && ts.isNamedExports(clause)
      ? namesOfSpecifiers(clause.elements, checker)
      : [];
  }
  if (ts.isImportDeclaration(owner)) {
    const bindings = owner.importClause?.namedBindings;
    if (bindings === undefined) return [];
    return ts.isNamedImports(bindings)
      ? namesOfSpecifiers(bindings.elements, checker)
      : listNamespaceMembers(bindings, checker);
  }
  return ts.isCallExpression(owner) ? namesOfAwaitedImport(owner) : [];
}

function namesOfSpecifiers(
  elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[],
  checker: ts.TypeChecker,
): ImportedName[] {
  return elements
    .filter((each) => !each.isTypeOnly && !isTypeName(each.name, checker))
    .map(({ propertyName, name }) => ({ name: (propertyName ?? name).text, node: propertyName ?? name }));
}

/** `all.one`, of `import * as all` */
function listNamespaceMembers({ name: all }: ts.NamespaceImport, checker: ts.TypeChecker): ImportedName[] {
  const found: ImportedName[] = [];
  const visitNode = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const { expression, name } = node;
      const isOfAll =
        expression.text === all.text &&
        checker.getSymbolAtLocation(expression) === checker.getSymbolAtLocation(all);
      if (isOfAll) found.push({ name: name.text, node: name });
    }
    ts.forEachChild(node, visitNode);
  };
  visitNode(all.getSourceFile());
  return found;
}

/** `const { one } = await import('x')`, `(await import('x')).one` */
function namesOfAwaitedImport(call: ts.CallExpression): ImportedName[] {
  if (!ts.isAwaitExpression(call.parent)) return [];
  const { parent } = call.parent;
  const user = ts.isParenthesizedExpression(parent) ? parent.parent : parent;
  if (ts.isPropertyAccessExpression(user)) return [{ name: user.name.text, node: user.name }];
  if (!ts.isVariableDeclaration(user) || !ts.isObjectBindingPattern(user.name)) return [];
  return user.name.elements.flatMap(({ propertyName, name, dotDotDotToken }) => {
    const node = propertyName ?? name;
    return ts.isIdentifier(node) && dotDotDotToken === undefined ? [{ name: node.text, node }] : [];
  });
}
