/** Whether a file says what only a CommonJS module may say: as code, whatever its comments and strings hold. */
import { ts } from 'ts-morph';

/** What Node gives to CommonJS modules alone. */
const GIVEN: ReadonlySet<string> = new Set(['require', 'module', 'exports', '__dirname', '__filename']);

export function isCommonModule(file: ts.SourceFile): boolean {
  const own = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node): boolean => {
    if (ts.isExportAssignment(node) && node.isExportEquals === true) return true;
    if (ts.isExternalModuleReference(node)) return true;
    if (ts.isIdentifier(node) && GIVEN.has(node.text)) {
      if (isOwn(node)) own.add(node.text);
      else if (isUsed(node)) used.add(node.text);
    }
    return ts.forEachChild(node, (child) => visit(child) || undefined) === true;
  };
  return visit(file) || [...used].some((name) => !own.has(name));
}

/** The name of a variable, parameter, function or import of the file itself; `declare` makes none. */
function isOwn(node: ts.Identifier): boolean {
  const { parent } = node;
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent);
  return isNamed && parent.name === node && !isDeclaredOnly(parent);
}

function isDeclaredOnly(node: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient) !== 0;
}

/** As a value: called, looked into, handed on. Not as the name of a member or in a type. */
function isUsed(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isTypeOfExpression(parent) || ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isBindingElement(parent))
    return 'initializer' in parent && parent.initializer === node;
  const isName = 'name' in parent && parent.name === node;
  return !isName && !ts.isPartOfTypeNode(node);
}
