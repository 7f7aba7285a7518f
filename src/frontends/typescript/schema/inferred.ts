/** Finds what the `infer` of a conditional type stands for, by its pattern and the written type beside it. */
import { ts } from 'ts-morph';

import { resolveAlias, unwrapExpression } from '../program/checker-queries.ts';
import { isOfStandardLibrary } from './library-types.ts';
import { MEMBERS, isRestElement } from './node-parts.ts';
import { type Scope, type Written, isReference, nowhere, findCachedSymbol } from './written-node.ts';

/** How to get from a written type to other types. */
export interface Steps {
  program: ts.Program;
  /** Finds the written types of members, items or elements. */
  findParts: (written: Written, step: string) => readonly Written[];
  /** Lists the alternatives of a type, with its names resolved. */
  listAlternatives: (written: Written) => readonly Written[];
  /** The types that a name stands for. */
  follow: (written: Written) => readonly Written[];
}

type Found = Map<ts.Symbol, readonly Written[]>;

/** A name that is not found stays out of the scope. */
export function bindInferred(
  { checkType, extendsType }: ts.ConditionalTypeNode,
  scope: Scope,
  steps: Steps,
): Scope {
  const found: Found = new Map();
  matchPattern(extendsType, [{ node: checkType, scope }], found, steps);
  return found.size === 0 ? scope : new Map([...found, ...scope]);
}

/** A call infers type arguments from the functions that it is given, unless they are written. */
export function bindTypeArgumentsOfCall(call: ts.CallExpression, steps: Steps): Scope {
  const found: Found = new Map();
  const checker = steps.program.getTypeChecker();
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined) return found;
  for (const [index, node] of (call.typeArguments ?? []).entries()) {
    const parameter = declaration.typeParameters?.[index];
    const symbol = parameter && checker.getTypeAtLocation(parameter).getSymbol();
    addBinding(symbol, [{ node, scope: nowhere }], found);
  }
  if (found.size > 0) return found;
  for (const [index, given] of call.arguments.entries()) {
    const parameter = declaration.parameters[index];
    const type = parameter && 'type' in parameter ? parameter.type : undefined;
    if (type !== undefined) matchArgument(type, given, found, steps);
  }
  return found;
}

/** Functions are given alone, or as members of a literal: `wrap({ run: (port: Port) => … })`. */
function matchArgument(pattern: ts.Node, given: ts.Expression, found: Found, steps: Steps): void {
  const value = unwrapExpression(given);
  if (ts.isObjectLiteralExpression(value) && ts.isTypeLiteralNode(pattern)) {
    for (const { name, type } of pattern.members.filter(ts.isPropertySignature)) {
      const member = value.properties.find((each) => each.name?.getText() === name.getText());
      if (type !== undefined && member !== undefined) {
        if (ts.isPropertyAssignment(member)) matchArgument(type, member.initializer, found, steps);
        else if (ts.isMethodDeclaration(member))
          matchPattern(type, [{ node: member, scope: nowhere }], found, steps);
      }
    }
  } else if (ts.isArrayLiteralExpression(value) && ts.isArrayTypeNode(pattern)) {
    for (const each of value.elements) matchArgument(pattern.elementType, each, found, steps);
  } else {
    const written = findArgumentSignature(value, steps);
    if (written !== undefined) matchPattern(pattern, [written], found, steps);
  }
}

function findArgumentSignature(value: ts.Expression, steps: Steps): Written | undefined {
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return { node: value, scope: nowhere };
  if (!ts.isCallExpression(value)) return findCalledSignature(value, steps);
  const declaration = steps.program.getTypeChecker().getResolvedSignature(value)?.declaration;
  const returned = declaration && 'type' in declaration ? declaration.type : undefined;
  return returned && { node: returned, scope: bindTypeArgumentsOfCall(value, steps) };
}

function matchPattern(pattern: ts.Node, given: readonly Written[], found: Found, steps: Steps): void {
  const listGivenParts = (step: string): Written[] => given.flatMap((each) => steps.findParts(each, step));
  const matchPart = (node: ts.Node | undefined, at: readonly Written[]): void => {
    if (node !== undefined) matchPattern(node, at, found, steps);
  };
  if (ts.isInferTypeNode(pattern)) {
    const symbol = steps.program.getTypeChecker().getSymbolAtLocation(pattern.typeParameter.name);
    addBinding(symbol, given, found);
  } else if (ts.isParenthesizedTypeNode(pattern) || ts.isTypeOperatorNode(pattern))
    matchPart(pattern.type, given);
  else if (ts.isArrayTypeNode(pattern)) matchPart(pattern.elementType, listGivenParts('[]'));
  else if (ts.isTupleTypeNode(pattern)) {
    const first = pattern.elements.findIndex(isRestElement);
    const fixed = first === -1 ? pattern.elements : pattern.elements.slice(0, first);
    for (const [index, element] of fixed.entries())
      matchPart(ts.isNamedTupleMember(element) ? element.type : element, listGivenParts(`[${index}]`));
  } else if (ts.isTypeLiteralNode(pattern)) {
    for (const member of pattern.members) matchTypeMember(member, listGivenParts, matchPart);
  } else if (isSignature(pattern)) for (const each of given) matchSignature(pattern, each, matchPart, steps);
  else if (isTypeParameterReference(pattern, steps))
    addBinding(findCachedSymbol(pattern, steps.program), given, found);
  else if (ts.isTypeReferenceNode(pattern)) matchReference(pattern, given, listGivenParts, matchPart, steps);
}

function addBinding(symbol: ts.Symbol | undefined, given: readonly Written[], found: Found): void {
  if (symbol !== undefined && given.length > 0) found.set(symbol, [...(found.get(symbol) ?? []), ...given]);
}

/** Whether the node names a type parameter, which a call infers. In a conditional type it is bound before. */
function isTypeParameterReference(node: ts.Node, steps: Steps): node is ts.TypeReferenceNode {
  if (!ts.isTypeReferenceNode(node)) return false;
  return ((findCachedSymbol(node, steps.program)?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0;
}

type Into = (node: ts.Node | undefined, at: readonly Written[]) => void;
type Parts = (step: string) => Written[];

function matchTypeMember(member: ts.TypeElement, parts: Parts, into: Into): void {
  if (ts.isIndexSignatureDeclaration(member)) into(member.type, [...parts('[]'), ...parts(MEMBERS)]);
  else if (member.name !== undefined && ts.isIdentifier(member.name))
    into(ts.isPropertySignature(member) ? member.type : member, parts(`.${member.name.text}`));
}

type Signature =
  ts.FunctionTypeNode | ts.ConstructorTypeNode | ts.MethodSignature | ts.CallSignatureDeclaration;

function isSignature(node: ts.Node): node is Signature {
  return (
    ts.isFunctionTypeNode(node) ||
    ts.isConstructorTypeNode(node) ||
    ts.isMethodSignature(node) ||
    ts.isCallSignatureDeclaration(node)
  );
}

/** `Promise<infer X>` beside `Promise<A>`, and `Array<infer X>` beside `A[]`. */
function matchReference(
  pattern: ts.TypeReferenceNode,
  given: readonly Written[],
  parts: Parts,
  into: Into,
  steps: Steps,
): void {
  const symbol = findCachedSymbol(pattern, steps.program);
  const name = symbol?.name ?? '';
  const references = given.flatMap((each) => findReference(each, symbol, steps) ?? []);
  const inner = references.length === 0 ? matchNamedFunctionType(symbol, given, steps) : undefined;
  for (const [index, argument] of (pattern.typeArguments ?? []).entries()) {
    const same = references.flatMap(({ node, scope }) => {
      const at = isReference(node) ? node.typeArguments?.[index] : undefined;
      return at === undefined ? [] : [{ node: at, scope }];
    });
    const isValue = /^(?:Readonly)?Array$/.test(name) || (name === 'Record' && index === 1);
    const declared = inner?.[index] ?? [];
    into(argument, [
      ...same,
      ...declared,
      ...(isValue && same.length === 0 ? [...parts('[]'), ...parts(MEMBERS)] : []),
    ]);
  }
}

/** Lists by its type parameters what a named type of a function stands for: `type Call<A, R> = (...args: A) => R`. */
function matchNamedFunctionType(
  symbol: ts.Symbol | undefined,
  given: readonly Written[],
  steps: Steps,
): (readonly Written[])[] | undefined {
  const named = symbol?.declarations?.find(
    (each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each),
  );
  if (symbol === undefined || named === undefined || isOfStandardLibrary(symbol, steps.program))
    return undefined;
  const signatures = ts.isTypeAliasDeclaration(named)
    ? [named.type]
    : named.members.filter(ts.isCallSignatureDeclaration);
  const found: Found = new Map();
  for (const each of signatures.filter(isSignature)) matchPattern(each, given, found, steps);
  return named.typeParameters?.map(({ name }) => {
    const parameter = steps.program.getTypeChecker().getSymbolAtLocation(name);
    return (parameter && found.get(parameter)) ?? [];
  });
}

const DEEPEST = 50;

function findReference(written: Written, symbol: ts.Symbol | undefined, steps: Steps): Written | undefined {
  let found: Written | undefined = written;
  for (let depth = 0; found !== undefined && depth < DEEPEST; depth += 1) {
    if (isReference(found.node) && findCachedSymbol(found.node, steps.program) === symbol) return found;
    const next: readonly Written[] = steps.follow(found);
    found = next.length === 1 ? next[0] : undefined;
  }
  return undefined;
}

/** All parameters, `(...args: infer P)`, stand for the tuple of their types. */
function matchSignature(pattern: Signature, given: Written, into: Into, steps: Steps): void {
  const signature = findSignature(given, steps);
  if (signature === undefined) return;
  for (const [index, parameter] of pattern.parameters.entries())
    into(
      parameter.type,
      isRestElement(parameter) && index === 0 ? [signature] : steps.findParts(signature, `[${index}]`),
    );
  const { node, scope } = signature;
  const type = ts.isConstructorDeclaration(node) ? node.parent : (node as { type?: ts.Node }).type;
  // A result that is not written says nothing, like the signature itself.
  into(pattern.type, [{ node: type ?? node, scope }]);
}

function findSignature(written: Written, steps: Steps): Written | undefined {
  const ends = steps.listAlternatives(written);
  return ends.map((each) => findOwnSignature(each, steps)).find((each) => each !== undefined);
}

function findOwnSignature(written: Written, steps: Steps): Written | undefined {
  const { node, scope } = written;
  if (ts.isFunctionLike(node)) return written;
  if (ts.isTypeQueryNode(node)) return findCalledSignature(node.exprName, steps);
  if (!ts.isTypeLiteralNode(node) && !ts.isInterfaceDeclaration(node)) return undefined;
  const called = node.members.filter(
    (each) => ts.isCallSignatureDeclaration(each) || ts.isConstructSignatureDeclaration(each),
  );
  return called.length === 0 ? undefined : { node: called[called.length - 1] ?? node, scope };
}

/** The last overload, as for TypeScript. A class without a constructor is made without arguments. */
function findCalledSignature(name: ts.Node, steps: Steps): Written | undefined {
  const checker = steps.program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(name);
  const declarations = (symbol && resolveAlias(symbol, checker).declarations) ?? [];
  const holder = declarations.find(ts.isClassLike);
  const all: readonly ts.Node[] = holder?.members.filter(ts.isConstructorDeclaration) ?? declarations;
  const signatures = all.filter(ts.isFunctionLike);
  const overloads = signatures.filter((each) => !('body' in each) || each.body === undefined);
  const node = overloads.at(-1) ?? signatures.at(-1) ?? holder;
  if (node !== undefined) return { node, scope: nowhere };
  const value = declarations.find(ts.isVariableDeclaration);
  return value?.type && findSignature({ node: value.type, scope: nowhere }, steps);
}
