/** A rest parameter with a tuple type is expanded, since wrapped functions are typed so. */
import { ts } from 'ts-morph';

import { findItemNode } from '../schema/array-form.ts';
import { unwrapExpression } from '../program/checker-queries.ts';
import { mayBeUndefined } from '../schema/object-form.ts';
import { closeIfParameter } from '../schema/open-type.ts';
import type { Tagged } from './tagged.ts';

export interface SignatureParameter {
  /** The parameter's name; for an element of a tuple its label. */
  name: string;
  type: ts.Type;
  declaration: Declared | undefined;
  isOptional: boolean;
  /** The parameter takes all remaining arguments. `type` is that of the list, or of its items. */
  rest?: 'list' | 'items';
}

export function signatureParameters(
  { parameters }: Pick<ts.Signature, 'parameters'>,
  checker: ts.TypeChecker,
): SignatureParameter[] {
  return parameters.flatMap((symbol) => {
    const parameter = makeParameter(symbol, checker);
    return (parameter.rest === undefined ? undefined : expandTupleRest(parameter, checker)) ?? [parameter];
  });
}

function makeParameter(symbol: ts.Symbol, checker: ts.TypeChecker): SignatureParameter {
  const { name, valueDeclaration } = symbol;
  const declaration =
    valueDeclaration && isParameterDeclaration(valueDeclaration) ? valueDeclaration : undefined;
  const type = checker.getTypeOfSymbol(symbol);
  const isRest = declaration !== undefined && isRestParameter(declaration);
  const isOptional = isRest
    ? mayRestBeEmpty(type, checker)
    : mayBeUndefined(type) || (declaration !== undefined && mayBeAbsent(declaration, checker));
  return { name, type, declaration, isOptional, ...(isRest ? { rest: 'list' } : {}) };
}

/** Whether a rest may be empty: each alternative of `[string] | [string, number]` has an item. */
function mayRestBeEmpty(parameterType: ts.Type, checker: ts.TypeChecker): boolean {
  const type = closeIfParameter(parameterType, checker);
  const lists = type.isUnion() ? type.types : [type];
  return lists.some(
    (list) => !checker.isTupleType(list) || countRequiredElements(list as ts.TupleTypeReference) === 0,
  );
}

function countRequiredElements({ target }: ts.TupleTypeReference): number {
  return target.elementFlags.filter((flags) => (flags & ts.ElementFlags.Required) !== 0).length;
}

function expandTupleRest(
  parameter: SignatureParameter,
  checker: ts.TypeChecker,
): SignatureParameter[] | undefined {
  const type = closeIfParameter(parameter.type, checker);
  if (!checker.isTupleType(type)) return undefined;
  const tuple = type as ts.TupleTypeReference;
  const { elementFlags, labeledElementDeclarations: labels } = tuple.target;
  const rest = elementFlags.findIndex((flags) => (flags & ts.ElementFlags.Variable) !== 0);
  if (rest !== -1 && rest < elementFlags.length - 1) return undefined;
  const types = checker.getTypeArguments(tuple);
  return elementFlags.map((flags, index): SignatureParameter => {
    const declaration = labels?.[index];
    const element = types[index] ?? checker.getUndefinedType();
    return {
      name: findParameterName(declaration) ?? `${parameter.name}_${index}`,
      type: element,
      declaration,
      isOptional: (flags & ts.ElementFlags.Required) === 0 || mayBeUndefined(element),
      ...(index === rest ? { rest: (flags & ts.ElementFlags.Variadic) === 0 ? 'items' : 'list' } : {}),
    };
  });
}

function findParameterName(declaration: Declared | undefined): string | undefined {
  if (declaration === undefined || isPattern(declaration)) return undefined;
  return declaration.name.getText();
}

/** A function, the label of a tuple, or `@callback` and `@overload` of JSDoc declare a parameter. */
export type Declared = ts.ParameterDeclaration | ts.NamedTupleMember | ts.JSDocParameterTag;

function isParameterDeclaration(node: ts.Node): node is Declared {
  return ts.isParameter(node) || ts.isJSDocParameterTag(node);
}

export function isPattern(declaration: Declared): boolean {
  return ts.isObjectBindingPattern(declaration.name) || ts.isArrayBindingPattern(declaration.name);
}

export function findInitializer(declaration: Declared | undefined): ts.Expression | undefined {
  return declaration !== undefined && ts.isParameter(declaration) ? declaration.initializer : undefined;
}

function isRestParameter(declaration: Declared): boolean {
  if (!ts.isJSDocParameterTag(declaration)) return declaration.dotDotDotToken !== undefined;
  const type = declaration.typeExpression?.type;
  return type !== undefined && ts.isJSDocVariadicType(type);
}

/** TypeScript treats a default before a required parameter as required; JSON can omit it. */
function mayBeAbsent(declaration: Declared, checker: ts.TypeChecker): boolean {
  if (isRestParameter(declaration) || findInitializer(declaration) !== undefined) return true;
  if (ts.isParameter(declaration)) return checker.isOptionalParameter(declaration);
  if (ts.isNamedTupleMember(declaration)) return declaration.questionToken !== undefined;
  const type = declaration.typeExpression?.type;
  return declaration.isBracketed || (type !== undefined && ts.isJSDocOptionalType(type));
}

/** @param items the node is that of the items of the declared list */
export function findTypeNode(
  declaration: Declared,
  items: boolean,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const node = ts.isJSDocParameterTag(declaration)
    ? declaration.typeExpression?.type
    : (declaration.type ?? ts.getJSDocType(declaration));
  return items ? findItemNode(node, checker) : node;
}

/** The function's own parameters if its type is declared elsewhere: `const f: F = (days = 3) => …`. */
export function listWrittenParameters({
  symbol,
  signature,
}: Pick<Tagged, 'symbol' | 'signature'>): readonly ts.ParameterDeclaration[] {
  const initializer = findFunctionInInitializer(symbol.valueDeclaration);
  if (initializer === undefined || initializer === signature.declaration) return [];
  return initializer.parameters.filter(({ name }) => !ts.isIdentifier(name) || name.text !== 'this');
}

function findFunctionInInitializer(
  declaration: ts.Declaration | undefined,
): ts.FunctionExpression | ts.ArrowFunction | undefined {
  if (declaration === undefined || !('initializer' in declaration)) return undefined;
  const { initializer } = declaration as ts.VariableDeclaration | ts.PropertyDeclaration;
  const initialValue = initializer && unwrapExpression(initializer);
  return initialValue !== undefined &&
    (ts.isFunctionExpression(initialValue) || ts.isArrowFunction(initialValue))
    ? initialValue
    : undefined;
}
