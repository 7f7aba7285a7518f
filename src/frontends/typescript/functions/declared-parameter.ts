/** How a parameter is declared: by a function, by the label of a tuple, or by `@callback` and `@overload` of JSDoc. */
import { ts } from 'ts-morph';
import { itemNode } from '../schema/array-form.ts';

export type Declared = ts.ParameterDeclaration | ts.NamedTupleMember | ts.JSDocParameterTag;

export function isDeclared(node: ts.Node): node is Declared {
  return ts.isParameter(node) || ts.isJSDocParameterTag(node);
}

/** A destructured parameter has no name. */
export function isPattern(declaration: Declared): boolean {
  return ts.isObjectBindingPattern(declaration.name) || ts.isArrayBindingPattern(declaration.name);
}

export function initializerOf(declaration: Declared | undefined): ts.Expression | undefined {
  return declaration !== undefined && ts.isParameter(declaration) ? declaration.initializer : undefined;
}

export function takesRest(declaration: Declared): boolean {
  if (!ts.isJSDocParameterTag(declaration)) return declaration.dotDotDotToken !== undefined;
  const type = declaration.typeExpression?.type;
  return type !== undefined && ts.isJSDocVariadicType(type);
}

/** TypeScript treats a default before a required parameter as required; JSON can omit it. */
export function mayBeAbsent(declaration: Declared, checker: ts.TypeChecker): boolean {
  if (takesRest(declaration) || initializerOf(declaration) !== undefined) return true;
  if (ts.isParameter(declaration)) return checker.isOptionalParameter(declaration);
  if (ts.isNamedTupleMember(declaration)) return declaration.questionToken !== undefined;
  const type = declaration.typeExpression?.type;
  return declaration.isBracketed || (type !== undefined && ts.isJSDocOptionalType(type));
}

export function typeNodeOf(declaration: Declared, { items = false } = {}): ts.TypeNode | undefined {
  const node = ts.isJSDocParameterTag(declaration) ? declaration.typeExpression?.type : declaration.type;
  return items ? itemNode(node) : node;
}
