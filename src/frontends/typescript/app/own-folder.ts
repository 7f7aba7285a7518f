/** Recognizes expressions whose value is the path of their own file or folder. */
import { ts } from 'ts-morph';

/** `import.meta.dirname`, `__dirname`, `dirname(fileURLToPath(import.meta.url))`, or a constant with one of these. */
export function isOwnFolderExpression(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isImportMeta(node, 'dirname')) return true;
  if (ts.isCallExpression(node)) return isCallTo('dirname', node, isOwnFileExpression);
  if (!ts.isIdentifier(node)) return false;
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return node.text === '__dirname';
  const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  const { initializer } = declaration;
  // A constant that is initialised with another name is unknown.
  if (!isConstant || initializer === undefined || ts.isIdentifier(initializer))
    return node.text === '__dirname' && declaration.getSourceFile().isDeclarationFile;
  return isOwnFolderExpression(initializer, checker);
}

export function isImportMeta(
  node: ts.Expression,
  member: 'url' | 'dirname' | 'filename' | 'resolve',
): boolean {
  return (
    ts.isPropertyAccessExpression(node) && node.name.text === member && ts.isMetaProperty(node.expression)
  );
}

function isOwnFileExpression(node: ts.Expression): boolean {
  if (isImportMeta(node, 'filename')) return true;
  return ts.isCallExpression(node) && isCallTo('fileURLToPath', node, (url) => isImportMeta(url, 'url'));
}

function isCallTo(
  name: string,
  { expression, arguments: [first] }: ts.CallExpression,
  isArgument: (node: ts.Expression) => boolean,
): boolean {
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(called) && called.text === name && first !== undefined && isArgument(first);
}
