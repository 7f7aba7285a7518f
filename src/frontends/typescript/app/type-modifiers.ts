/** Adds `type` to imports and exports of types, since a file that is compiled alone cannot know them. */
import { ts } from 'ts-morph';
import type { TextEdit } from './text-edits.ts';

export function typeModifiers(
  owner: ts.Node,
  checker: ts.TypeChecker,
  options: { isDeclaration: boolean },
): TextEdit[] {
  if (ts.isImportDeclaration(owner)) return importEdits(owner, checker);
  if (!ts.isExportDeclaration(owner) || owner.isTypeOnly) return [];
  const { exportClause } = owner;
  if (exportClause === undefined) return options.isDeclaration ? [insertAfterKeyword(owner)] : [];
  return ts.isNamedExports(exportClause) ? specifierEdits(exportClause.elements, checker) : [];
}

/** Whether an import only has types without the modifier. */
export function isErased(owner: ts.Node, checker: ts.TypeChecker): boolean {
  return typeModifiers(owner, checker, { isDeclaration: false }).some(({ text }) => text === ' type');
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
      elements.length > 0 && elements.every((each) => each.isTypeOnly || isTypeName(each.name, checker));
    return areTypes
      ? [insertAfterKeyword(owner), ...elements.flatMap(withoutModifier)]
      : specifierEdits(elements, checker);
  }
  if (!isTypeName(name, checker) || isNamespace) return specifierEdits(elements, checker);
  if (namedBindings === undefined) return [insertAfterKeyword(owner)];
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
    .filter((each) => !each.isTypeOnly && isTypeName(each.name, checker))
    .map((each) => ({ start: each.getStart(), end: each.getStart(), text: 'type ' }));
}

function withoutModifier(element: ts.ImportSpecifier): TextEdit[] {
  if (!element.isTypeOnly) return [];
  return [{ start: element.getStart(), end: (element.propertyName ?? element.name).getStart(), text: '' }];
}

/** `export` has as many letters. */
function insertAfterKeyword(owner: ts.Node): TextEdit {
  const at = owner.getStart() + 'import'.length;
  return { start: at, end: at, text: ' type' };
}

/** The name refers to a type and to no value. */
export function isTypeName(name: ts.Node, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return false;
  const target = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return (target.flags & ts.SymbolFlags.Type) !== 0 && (target.flags & ts.SymbolFlags.Value) === 0;
}
