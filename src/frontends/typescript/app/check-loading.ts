/** Checks that Node can load the user's code; otherwise the first tool call would fail. */
import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import { ts } from 'ts-morph';

import { findOwnFolderWrite } from '../../../util/code-uses.ts';
import { hasMatchingDescendant } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';
import { checkPackages } from './check-packages.ts';
import { findCommonJsNames } from './common-module.ts';
import { collectDependencies } from './read-dependencies.ts';

export function checkLoading(source: SourceProgram, carried: Carried): void {
  const names = reportCommonJsNames(source, carried);
  for (const file of carried.files.filter((file) => !file.isDeclarationFile && !isJson(file))) {
    const write = findOwnFolderWrite(file, ts);
    if (write !== undefined)
      source.diagnostics.report('writes-own-folder', { folder: 'dist/app/' }, { at: source.originOf(write) });
  }
  reportUncarriedFiles(source, carried, names);
  checkPackages(source, carried);
}

/** Reports files that cannot be copied, and collects the packages, whose ranges may differ from those in the user's folder. */
function reportUncarriedFiles(source: SourceProgram, carried: Carried, names: ReadonlySet<string>): void {
  const { diagnostics, originOf } = source;
  collectDependencies(source, carried);
  for (const asset of carried.assets) {
    if (!('problem' in asset)) continue;
    const { what, problem, node, fault } = asset;
    const at = originOf(node);
    const isReportedName = (descendant: ts.Node): boolean =>
      ts.isIdentifier(descendant) && names.has(makeNameKey(descendant));
    if (hasMatchingDescendant(node, isReportedName)) continue;
    if (fault === 'missing') {
      const reason = 'finds no file, so the server would never start';
      const fix = 'Correct the path, or call it in a function if the file is made later.';
      diagnostics.report('code-not-loadable', { specifier: what, problem: reason, fix }, { at });
    } else if (fault === 'worker') diagnostics.report('worker-not-carried', { what }, { at });
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
  const reportedNames = new Set<string>();
  const isRun = files.filter((file) => !file.isDeclarationFile && !isJson(file));
  for (const file of isRun) {
    if (/\.c[jt]s$/.test(layout.pathOf(file))) continue;
    for (const [name, { node, isAsked }] of findCommonJsNames(file)) {
      if (isAsked) continue;
      const parameters = { name, instead: getOwnMember(INSTEAD, name) ?? '`export`' };
      diagnostics.report('name-of-commonjs', parameters, { at: originOf(node) });
      reportedNames.add(makeNameKey(node));
    }
  }
  return reportedNames;
}
