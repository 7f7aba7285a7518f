/** Checks that Node can load the user's code; otherwise the first tool call would fail. */
import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import { isDeepStrictEqual } from 'node:util';
import { ts } from 'ts-morph';

import { findOwnFolderWrite } from '../../../util/code-uses.ts';
import { hasMatchingDescendant } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';
import { checkPackages } from './check-packages.ts';
import { findCommonJsNames, hasTopLevelAwait } from './common-module.ts';
import { findForeignModule } from './foreign-modules.ts';
import { moduleSpecifiers } from './module-specifiers.ts';
import { collectDependencies } from './read-dependencies.ts';
import { importsOnlyTypes } from './type-erasure.ts';

export async function checkLoading(source: SourceProgram, carried: Carried): Promise<void> {
  const names = reportCommonJsNames(source, carried);
  checkRequires(source, carried);
  for (const file of carried.files.filter((each) => !each.isDeclarationFile && !isJson(each))) {
    const write = findOwnFolderWrite(file, ts);
    if (write !== undefined)
      source.diagnostics.report('writes-own-folder', { folder: 'dist/app/' }, { at: source.originOf(write) });
  }
  reportModulesOfOtherRuntimes(source, carried);
  reportUncarriedFiles(source, carried, names);
  await checkPackages(source, carried);
}

/** Reports files that cannot be copied, and collects the packages, whose ranges may differ from those in the user's folder. */
function reportUncarriedFiles(source: SourceProgram, carried: Carried, names: ReadonlySet<string>): void {
  const { diagnostics, originOf } = source;
  collectDependencies(source, carried);
  for (const asset of carried.assets) {
    if (!('problem' in asset)) continue;
    const { what, problem, node, isMissing } = asset;
    const at = originOf(node);
    const isReportedName = (each: ts.Node): boolean => ts.isIdentifier(each) && names.has(makeNameKey(each));
    if (hasMatchingDescendant(node, isReportedName)) continue;
    if (isMissing === true) diagnostics.report('required-file-missing', { what }, { at });
    else diagnostics.report('file-not-carried', { what, problem }, { at });
  }
}

const INSTEAD: Readonly<Record<string, string>> = {
  __dirname: '`import.meta.dirname`',
  __filename: '`import.meta.filename`',
  require: '`import`, or `createRequire(import.meta.url)` of `node:module`',
};

/** Makes a key by which a name is reported once, however often the file uses it. */
function makeNameKey(name: ts.Identifier): string {
  return `${name.getSourceFile().fileName} ${name.text}`;
}

/**
 * Names of CommonJS modules fail when an ES module runs. Names that are tested by `typeof` may be missing. Returns the keys of
 * what is reported.
 */
function reportCommonJsNames(
  { diagnostics, originOf }: SourceProgram,
  { files, layout }: Carried,
): ReadonlySet<string> {
  const told = new Set<string>();
  const isRun = files.filter((file) => !file.isDeclarationFile && !isJson(file));
  for (const file of isRun) {
    if (/\.c[jt]s$/.test(layout.pathOf(file))) continue;
    for (const [name, { node, isAsked }] of findCommonJsNames(file)) {
      if (isAsked) continue;
      const parameters = { name, instead: getOwnMember(INSTEAD, name) ?? '`export`' };
      diagnostics.report('name-of-commonjs', parameters, { at: originOf(node) });
      told.add(makeNameKey(node));
    }
  }
  return told;
}

/** Reports modules of other runtimes, unless TypeScript did not find them, which is reported before. */
function reportModulesOfOtherRuntimes(
  { checker, diagnostics, originOf }: SourceProgram,
  { files }: Carried,
): void {
  const told = diagnostics.found.filter(({ name }) => name === 'module-not-of-node');
  for (const file of files.filter((each) => !each.isDeclarationFile && !isJson(each)))
    for (const specifier of moduleSpecifiers(file)) {
      const foreign = findForeignModule(specifier, checker);
      const at = originOf(specifier.literal);
      if (foreign !== undefined && !told.some(({ origin }) => isDeepStrictEqual(origin, at)))
        diagnostics.report('module-not-of-node', foreign, { at });
    }
}

interface Load {
  literal: ts.StringLiteralLike;
  file: ts.SourceFile;
}

/** Node loads required ES modules synchronously, so top-level `await` and circles fail. */
function checkRequires(source: SourceProgram, carried: Carried): void {
  const { diagnostics, originOf, label } = source;
  const isCommonJs = (file: ts.SourceFile): boolean => /\.c[jt]s$/.test(carried.layout.pathOf(file));
  for (const file of carried.files.filter(isCommonJs)) {
    for (const { literal, file: required } of listLoadedFiles(file, source, carried)) {
      if (isCommonJs(required)) continue;
      const reached = filesReachedFrom(required, source, carried);
      const waiting = [...reached].find((each) => !isCommonJs(each) && hasTopLevelAwait(each));
      const parameters = { file: label(file), specifier: literal.text };
      const at = originOf(literal);
      if (reached.has(file)) diagnostics.report('cycle-of-module-kinds', parameters, { at });
      else if (waiting !== undefined)
        diagnostics.report('required-module-waits', { ...parameters, waiting: label(waiting) }, { at });
    }
  }
}

function listLoadedFiles(file: ts.SourceFile, { checker }: SourceProgram, { modules }: Carried): Load[] {
  if (isJson(file)) return [];
  return moduleSpecifiers(file).flatMap(({ literal, owner, isType }): Load[] => {
    const { own } = modules.resolveModule(literal);
    if (own === undefined || own.isDeclarationFile || isJson(own)) return [];
    return isType || isLoadedLater(owner) || importsOnlyTypes(owner, checker) ? [] : [{ literal, file: own }];
  });
}

function filesReachedFrom(
  first: ts.SourceFile,
  source: SourceProgram,
  carried: Carried,
): ReadonlySet<ts.SourceFile> {
  const reached = new Set([first]);
  for (const file of reached)
    for (const load of listLoadedFiles(file, source, carried)) reached.add(load.file);
  return reached;
}

/** `import()` is asynchronous, and a `require` inside a function runs later. */
function isLoadedLater(owner: ts.Node): boolean {
  if (!ts.isCallExpression(owner)) return false;
  return (
    owner.expression.kind === ts.SyntaxKind.ImportKeyword ||
    ts.findAncestor(owner, ts.isFunctionLike) !== undefined
  );
}
