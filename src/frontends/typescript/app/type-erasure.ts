import { ts } from 'ts-morph';

import { resolveAlias } from '../program/checker-queries.ts';

/** Adds `type` to imports and exports of types, since a file that is compiled alone cannot know them. */
export function typeModifierEdits(
  owner: ts.Node,
  checker: ts.TypeChecker,
  options: { isDeclaration: boolean },
): TextEdit[] {
  if (ts.isImportDeclaration(owner)) return importEdits(owner, checker);
  if (!ts.isExportDeclaration(owner) || owner.isTypeOnly) return [];
  const { exportClause } = owner;
  if (exportClause === undefined) return options.isDeclaration ? [makeTypeKeywordEdit(owner)] : [];
  return ts.isNamedExports(exportClause) ? specifierEdits(exportClause.elements, checker) : [];
}

/** Whether an import brings only types, though it is not marked `import type`. */
export function importsOnlyTypes(owner: ts.Node, checker: ts.TypeChecker): boolean {
  return typeModifierEdits(owner, checker, { isDeclaration: false }).some(({ text }) => text === ' type');
}

function importEdits(owner: ts.ImportDeclaration, checker: ts.TypeChecker): TextEdit[] {
  const { importClause } = owner;
  if (importClause === undefined || importClause.phaseModifier !== undefined) return [];
  const { name, namedBindings } = importClause;
  const elements =
    namedBindings !== undefined && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  const isNamespace = namedBindings !== undefined && ts.isNamespaceImport(namedBindings);
  if (name === undefined) {
    const areTypes =
      elements.length > 0 &&
      elements.every((element) => element.isTypeOnly || isTypeName(element.name, checker));
    return areTypes
      ? [makeTypeKeywordEdit(owner), ...elements.flatMap(removeModifierEdit)]
      : specifierEdits(elements, checker);
  }
  if (!isTypeName(name, checker) || isNamespace) return specifierEdits(elements, checker);
  if (namedBindings === undefined) return [makeTypeKeywordEdit(owner)];
  const start = name.getStart();
  const first = namedBindings.getStart() + 1;
  // Line breaks are kept, so that later code stays on its line.
  const breaks = name.getSourceFile().text.slice(start, first).replace(/[^\n]/g, '');
  return [
    { start, end: first, text: `{ type default as ${name.text},${breaks}` },
    ...specifierEdits(elements, checker),
  ];
}

function specifierEdits(
  elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[],
  checker: ts.TypeChecker,
): TextEdit[] {
  return elements
    .filter((element) => !element.isTypeOnly && isTypeName(element.name, checker))
    .map((element) => ({ start: element.getStart(), end: element.getStart(), text: 'type ' }));
}

function removeModifierEdit(element: ts.ImportSpecifier): TextEdit[] {
  if (!element.isTypeOnly) return [];
  return [{ start: element.getStart(), end: (element.propertyName ?? element.name).getStart(), text: '' }];
}

/** Inserts the keyword behind `import` or `export`, which have the same length. */
function makeTypeKeywordEdit(owner: ts.Node): TextEdit {
  const at = owner.getStart() + 'import'.length;
  return { start: at, end: at, text: ' type' };
}

function isTypeName(name: ts.Node, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return false;
  const target = resolveAlias(symbol, checker);
  return (target.flags & ts.SymbolFlags.Type) !== 0 && (target.flags & ts.SymbolFlags.Value) === 0;
}

export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  let result = '';
  let from = 0;
  for (const edit of sorted) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}
