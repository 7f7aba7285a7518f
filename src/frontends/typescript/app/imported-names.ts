/** Finds the names of a module that are needed at run time. */
import { ts } from 'ts-morph';
import { isTypeName } from './type-modifiers.ts';

export interface ImportedName {
  name: string;
  node: ts.Node;
}

/** `owner` is an import, an export or a call. Default exports always exist, so they are left out. */
export function importedNames(owner: ts.Node, checker: ts.TypeChecker): ImportedName[] {
  return namesIn(owner, checker).filter(({ name }) => name !== 'default');
}

function namesIn(owner: ts.Node, checker: ts.TypeChecker): ImportedName[] {
  if (ts.isExportDeclaration(owner)) {
    const { exportClause: clause } = owner;
    return clause !== undefined && ts.isNamedExports(clause) ? specified(clause.elements, checker) : [];
  }
  if (ts.isImportDeclaration(owner)) {
    const bindings = owner.importClause?.namedBindings;
    if (bindings === undefined) return [];
    return ts.isNamedImports(bindings)
      ? specified(bindings.elements, checker)
      : listMembers(bindings, checker);
  }
  return ts.isCallExpression(owner) ? awaited(owner) : [];
}

function specified(
  elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[],
  checker: ts.TypeChecker,
): ImportedName[] {
  return elements
    .filter((each) => !each.isTypeOnly && !isTypeName(each.name, checker))
    .map(({ propertyName, name }) => ({ name: (propertyName ?? name).text, node: propertyName ?? name }));
}

/** `all.one`, of `import * as all` */
function listMembers({ name: all }: ts.NamespaceImport, checker: ts.TypeChecker): ImportedName[] {
  const found: ImportedName[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const { expression, name } = node;
      const isOfAll =
        expression.text === all.text &&
        checker.getSymbolAtLocation(expression) === checker.getSymbolAtLocation(all);
      if (isOfAll) found.push({ name: name.text, node: name });
    }
    ts.forEachChild(node, visit);
  };
  visit(all.getSourceFile());
  return found;
}

/** `const { one } = await import('x')`, `(await import('x')).one` */
function awaited(call: ts.CallExpression): ImportedName[] {
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
