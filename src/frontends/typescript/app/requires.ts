/** Finds calls that load or resolve a module relative to the file at run time. */
import { ts } from 'ts-morph';
import { isImportMeta } from './here.ts';

export function isRequire(called: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isImportMeta(called, 'resolve')) return true;
  if (ts.isPropertyAccessExpression(called))
    return called.name.text === 'resolve' && isRequire(called.expression, checker);
  if (isCreateRequire(called)) return true;
  if (!ts.isIdentifier(called)) return false;
  const declaration = checker.getSymbolAtLocation(called)?.valueDeclaration;
  if (declaration === undefined || declaration.getSourceFile().isDeclarationFile)
    return called.text === 'require';
  return (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    isCreateRequire(declaration.initializer)
  );
}

/** `createRequire(import.meta.url)` */
export function isCreateRequire(node: ts.Expression): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression, arguments: given } = node;
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const [from] = given;
  return (
    ts.isIdentifier(called) &&
    called.text === 'createRequire' &&
    from !== undefined &&
    (isImportMeta(from, 'url') || isImportMeta(from, 'filename'))
  );
}
