/** Finds CommonJS syntax; comments and strings do not count. */
import { ts } from 'ts-morph';

import { hasMatchingDescendant } from '../program/checker-queries.ts';

const GIVEN: ReadonlySet<string> = new Set(['require', 'module', 'exports', '__dirname', '__filename']);

const MENTIONED = new RegExp([...GIVEN].join('|'));

export function usesCommonJs(file: ts.SourceFile): boolean {
  const isCommonJsSyntax = (node: ts.Node): boolean =>
    (ts.isExportAssignment(node) && node.isExportEquals === true) || ts.isExternalModuleReference(node);
  return findCommonJsNames(file).size > 0 || hasMatchingDescendant(file, isCommonJsSyntax);
}

interface CommonName {
  node: ts.Identifier;
  /** Whether the file tests the name by `typeof`. */
  isAsked: boolean;
}

export function findCommonJsNames(file: ts.SourceFile): ReadonlyMap<string, CommonName> {
  const used = new Map<string, CommonName>();
  if (!MENTIONED.test(file.text)) return used;
  const ownNames = new Set<string>();
  const askedNames = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && GIVEN.has(node.text)) {
      if (ts.isTypeOfExpression(node.parent)) askedNames.add(node.text);
      else if (isDeclaredInFile(node)) ownNames.add(node.text);
      else if (isUsedAsValue(node) && !used.has(node.text)) used.set(node.text, { node, isAsked: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const name of ownNames) used.delete(name);
  for (const [name, { node }] of used) used.set(name, { node, isAsked: askedNames.has(name) });
  return used;
}

/** Whether the file declares the name; ambient declarations do not count. */
function isDeclaredInFile(node: ts.Identifier): boolean {
  const { parent } = node;
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent);
  if (!isNamed || parent.name !== node) return false;
  return (ts.getCombinedModifierFlags(parent) & ts.ModifierFlags.Ambient) === 0;
}

/** Whether the name is used as a value; members and types do not count. */
function isUsedAsValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isBindingElement(parent))
    return 'initializer' in parent && parent.initializer === node;
  const isName = 'name' in parent && parent.name === node;
  return !isName && !ts.isPartOfTypeNode(node);
}

export function hasTopLevelAwait(file: ts.SourceFile): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node) || ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node))
      return false;
    if (ts.isAwaitExpression(node)) return true;
    if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) return true;
    return ts.forEachChild(node, (child) => visit(child) || undefined) === true;
  };
  return visit(file);
}
