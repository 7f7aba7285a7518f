/** A rest parameter with a tuple type is expanded, since wrapped functions are typed so. */
import { ts } from 'ts-morph';

import { findItemNode } from '../schema/array-form.ts';
import { hasMatchingDescendant, unwrapExpression } from '../program/checker-queries.ts';
import { mayBeUndefined } from '../schema/member.ts';
import { closeIfParameter } from '../schema/open-type.ts';
import { type WrittenPlace, inferTypeArgumentsOfCall, writtenPlaceOf } from '../schema/written.ts';
import { type Scope, nowhere } from '../schema/written-node.ts';
import type { Tagged } from './tagged.ts';

export interface SignatureParameter {
  /** The parameter's name; for an element of a tuple its label. */
  name: string;
  type: ts.Type;
  declaration: Declared | undefined;
  /** The way to the written type. */
  typed: WrittenPlace;
  isOptional: boolean;
  /** The parameter takes all remaining arguments. `type` is that of the list, or of its items. */
  rest?: 'list' | 'items';
}

/** `scope` are the type arguments of the signature, as far as they are known. */
export function signatureParameters(
  { parameters }: Pick<ts.Signature, 'parameters'>,
  checker: ts.TypeChecker,
  scope: Scope = nowhere,
): SignatureParameter[] {
  return parameters.flatMap((symbol) => {
    const parameter = makeParameter(symbol, scope, checker);
    return (parameter.rest === undefined ? undefined : expandTupleRest(parameter, checker)) ?? [parameter];
  });
}

function makeParameter(symbol: ts.Symbol, scope: Scope, checker: ts.TypeChecker): SignatureParameter {
  const { name, valueDeclaration } = symbol;
  const declaration =
    valueDeclaration && isParameterDeclaration(valueDeclaration) ? valueDeclaration : undefined;
  const type = checker.getTypeOfSymbol(symbol);
  const isRest = declaration !== undefined && isRestParameter(declaration);
  const isOptional = isRest
    ? mayRestBeEmpty(type, checker)
    : mayBeUndefined(type) || (declaration !== undefined && mayBeAbsent(declaration, checker));
  const node = declaration && findTypeNode(declaration);
  const typed = node === undefined ? [] : [{ node, scope }];
  return { name, type, declaration, typed, isOptional, ...(isRest ? { rest: 'list' } : {}) };
}

/** Whether a rest may be empty: each alternative of `[string] | [string, number]` has an item. */
function mayRestBeEmpty(given: ts.Type, checker: ts.TypeChecker): boolean {
  const type = closeIfParameter(given, checker);
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
    const { typed: above } = parameter;
    const node = declaration && findTypeNode(declaration);
    return {
      name: findParameterName(declaration) ?? `${parameter.name}_${index}`,
      type: element,
      declaration,
      typed: index === rest ? restPlace(above, node) : { above, step: `[${index}]`, node },
      isOptional: (flags & ts.ElementFlags.Required) === 0 || mayBeUndefined(element),
      ...(index === rest ? { rest: (flags & ts.ElementFlags.Variadic) === 0 ? 'items' : 'list' } : {}),
    };
  });
}

/** Without a type of its own, the items of a rest are found among all elements. */
function restPlace(tuple: WrittenPlace, node: ts.TypeNode | undefined): WrittenPlace {
  return node === undefined ? tuple : writtenPlaceOf(node);
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

export function findTypeNode(declaration: Declared, { items = false } = {}): ts.TypeNode | undefined {
  const node = ts.isJSDocParameterTag(declaration)
    ? declaration.typeExpression?.type
    : (declaration.type ?? ts.getJSDocType(declaration));
  return items ? findItemNode(node) : node;
}

/** The function's own parameters if its type is declared elsewhere: `const f: F = (days = 3) => …`. */
export function listWrittenParameters({
  symbol,
  signature,
}: Pick<Tagged, 'symbol' | 'signature'>): readonly ts.ParameterDeclaration[] {
  const held = findFunctionInInitializer(symbol.valueDeclaration);
  if (held === undefined || held === signature.declaration) return [];
  return held.parameters.filter(({ name }) => !ts.isIdentifier(name) || name.text !== 'this');
}

function findFunctionInInitializer(
  declaration: ts.Declaration | undefined,
): ts.FunctionExpression | ts.ArrowFunction | undefined {
  if (declaration === undefined || !('initializer' in declaration)) return undefined;
  const { initializer } = declaration as ts.VariableDeclaration | ts.PropertyDeclaration;
  const held = initializer && unwrapExpression(initializer);
  return held !== undefined && (ts.isFunctionExpression(held) || ts.isArrowFunction(held)) ? held : undefined;
}

/**
 * The type arguments that a call infers: `export const f = wrap((port: Port) => …)`. Those that are not found stand for
 * the whole call, in which the constraints are looked for.
 */
export function inferTypeArguments(
  { symbol, signature }: Pick<Tagged, 'symbol' | 'signature'>,
  program: ts.Program,
): Scope {
  const checker = program.getTypeChecker();
  const value = findFactoryCall(symbol.valueDeclaration, checker);
  if (value === undefined) return nowhere;
  const found = inferTypeArgumentsOfCall(value, program);
  const open = listOuterTypeParameters(signature.declaration, checker).filter((each) => !found.has(each));
  return new Map([...found, ...open.map((each) => [each, [{ node: value, scope: nowhere }]] as const)]);
}

/** Finds the call that makes an exported function, also behind other constants. */
function findFactoryCall(
  declaration: ts.Declaration | undefined,
  checker: ts.TypeChecker,
): ts.CallExpression | undefined {
  const isHolder =
    declaration !== undefined &&
    (ts.isVariableDeclaration(declaration) ||
      ts.isPropertyDeclaration(declaration) ||
      ts.isPropertyAssignment(declaration));
  const given = isHolder
    ? declaration.initializer
    : declaration !== undefined && ts.isExportAssignment(declaration)
      ? declaration.expression
      : undefined;
  const value = given && unwrapExpression(given);
  if (value === undefined || ts.isCallExpression(value)) return value;
  const named = ts.isIdentifier(value) ? checker.getSymbolAtLocation(value)?.valueDeclaration : undefined;
  return named === undefined || named === declaration ? undefined : findFactoryCall(named, checker);
}

/** Lists the type parameters of the functions around a signature that an argument of a call can determine. */
function listOuterTypeParameters(
  signature: ts.Signature['declaration'],
  checker: ts.TypeChecker,
): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  for (let node = signature?.parent; node !== undefined; node = node.parent) {
    const { typeParameters = [], parameters } = node as ts.FunctionLikeDeclaration;
    for (const { name } of typeParameters) {
      const symbol = checker.getSymbolAtLocation(name);
      const isSameSymbol = (each: ts.Node): boolean =>
        ts.isIdentifier(each) && checker.getSymbolAtLocation(each) === symbol;
      const isInferred = parameters?.some((each) => hasMatchingDescendant(each, isSameSymbol)) ?? true;
      if (symbol !== undefined && isInferred) found.push(symbol);
    }
  }
  return found;
}
