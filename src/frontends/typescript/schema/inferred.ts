/** Finds what the `infer` of a conditional type stands for, by its pattern and the written type beside it. */
import { ts } from 'ts-morph';

import { resolveAlias } from '../program/checker-queries.ts';
import { MEMBERS, isRest } from './node-parts.ts';
import {
  type Scope,
  type Written,
  findParts,
  followName,
  isReference,
  nowhere,
  referencedSymbol,
} from './written.ts';

type Found = Map<ts.Symbol, readonly Written[]>;

/** A name that is not found stays out of the scope. */
export function bindInferred(
  { checkType, extendsType }: ts.ConditionalTypeNode,
  scope: Scope,
  program: ts.Program,
): Scope {
  const found: Found = new Map();
  match(extendsType, [{ node: checkType, scope }], found, program);
  return found.size === 0 ? scope : new Map([...found, ...scope]);
}

/** Finds the type arguments that a call infers from functions given to it: `export const open = wrap((port: Port) => …)`. */
export function bindCall(call: ts.CallExpression, program: ts.Program): Scope {
  const found: Found = new Map();
  const parameters = program.getTypeChecker().getResolvedSignature(call)?.declaration?.parameters ?? [];
  for (const [index, given] of call.arguments.entries()) {
    const type = parameters[index] && 'type' in parameters[index] ? parameters[index].type : undefined;
    const isFunction = ts.isArrowFunction(given) || ts.isFunctionExpression(given);
    const written = isFunction ? { node: given, scope: nowhere } : findCalled(given, program);
    if (type !== undefined && written !== undefined) match(type, [written], found, program);
  }
  return found;
}

function match(pattern: ts.Node, given: readonly Written[], found: Found, program: ts.Program): void {
  const parts = (step: string): Written[] =>
    given.flatMap((each) => findParts(each, step, undefined, program));
  const into = (node: ts.Node | undefined, at: readonly Written[]): void => {
    if (node !== undefined) match(node, at, found, program);
  };
  if (ts.isInferTypeNode(pattern)) {
    const symbol = program.getTypeChecker().getSymbolAtLocation(pattern.typeParameter.name);
    note(symbol, given, found);
  } else if (ts.isParenthesizedTypeNode(pattern) || ts.isTypeOperatorNode(pattern)) into(pattern.type, given);
  else if (ts.isArrayTypeNode(pattern)) into(pattern.elementType, parts('[]'));
  else if (ts.isTupleTypeNode(pattern)) {
    const first = pattern.elements.findIndex(isRest);
    const fixed = first === -1 ? pattern.elements : pattern.elements.slice(0, first);
    for (const [index, element] of fixed.entries())
      into(ts.isNamedTupleMember(element) ? element.type : element, parts(`[${index}]`));
  } else if (ts.isTypeLiteralNode(pattern)) {
    for (const member of pattern.members) matchMember(member, parts, into);
  } else if (isSignature(pattern)) for (const each of given) matchSignature(pattern, each, into, program);
  else if (isParameter(pattern, program)) note(referencedSymbol(pattern, program), given, found);
  else if (ts.isTypeReferenceNode(pattern)) matchReference(pattern, given, parts, into, program);
}

function note(symbol: ts.Symbol | undefined, given: readonly Written[], found: Found): void {
  if (symbol !== undefined && given.length > 0) found.set(symbol, [...(found.get(symbol) ?? []), ...given]);
}

/** A type parameter that a call infers. In a condition it is given before. */
function isParameter(node: ts.Node, program: ts.Program): node is ts.TypeReferenceNode {
  if (!ts.isTypeReferenceNode(node)) return false;
  return ((referencedSymbol(node, program)?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0;
}

type Into = (node: ts.Node | undefined, at: readonly Written[]) => void;
type Parts = (step: string) => Written[];

function matchMember(member: ts.TypeElement, parts: Parts, into: Into): void {
  if (ts.isIndexSignatureDeclaration(member)) into(member.type, [...parts('[]'), ...parts(MEMBERS)]);
  else if (member.name !== undefined && ts.isIdentifier(member.name))
    into(ts.isPropertySignature(member) ? member.type : member, parts(`.${member.name.text}`));
}

type Signature = ts.FunctionTypeNode | ts.ConstructorTypeNode | ts.MethodSignature;

function isSignature(node: ts.Node): node is Signature {
  return ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node) || ts.isMethodSignature(node);
}

/** `Promise<infer X>` beside `Promise<A>`, and `Array<infer X>` beside `A[]`. */
function matchReference(
  pattern: ts.TypeReferenceNode,
  given: readonly Written[],
  parts: Parts,
  into: Into,
  program: ts.Program,
): void {
  const symbol = referencedSymbol(pattern, program);
  const name = symbol?.name ?? '';
  const references = given.flatMap((each) => findReference(each, symbol, program) ?? []);
  for (const [index, argument] of (pattern.typeArguments ?? []).entries()) {
    const same = references.flatMap(({ node, scope }) => {
      const at = isReference(node) ? node.typeArguments?.[index] : undefined;
      return at === undefined ? [] : [{ node: at, scope }];
    });
    const isValue = /^(?:Readonly)?Array$/.test(name) || (name === 'Record' && index === 1);
    into(argument, same.length > 0 ? same : isValue ? [...parts('[]'), ...parts(MEMBERS)] : []);
  }
}

const DEEPEST = 50;

function findReference(
  written: Written,
  symbol: ts.Symbol | undefined,
  program: ts.Program,
): Written | undefined {
  let found: Written | undefined = written;
  for (let depth = 0; found !== undefined && depth < DEEPEST; depth += 1) {
    if (isReference(found.node) && referencedSymbol(found.node, program) === symbol) return found;
    const next: readonly Written[] = followName(found, program)?.next ?? [];
    found = next.length === 1 ? next[0] : undefined;
  }
  return undefined;
}

/** All parameters, `(...args: infer P)`, stand for the tuple of their types. */
function matchSignature(pattern: Signature, given: Written, into: Into, program: ts.Program): void {
  const signature = findSignature(given, program);
  if (signature === undefined) return;
  for (const [index, parameter] of pattern.parameters.entries())
    into(
      parameter.type,
      isRest(parameter) && index === 0 ? [signature] : findParts(signature, `[${index}]`, undefined, program),
    );
  const { node, scope } = signature;
  const type = ts.isConstructorDeclaration(node) ? node.parent : (node as { type?: ts.Node }).type;
  // A result that is not written says nothing, like the signature itself.
  into(pattern.type, [{ node: type ?? node, scope }]);
}

function findSignature(written: Written, program: ts.Program): Written | undefined {
  const { node, scope } = written;
  if (ts.isFunctionLike(node)) return written;
  if (ts.isTypeQueryNode(node)) return findCalled(node.exprName, program);
  if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node)) {
    const called = node.members.filter(
      (each) => ts.isCallSignatureDeclaration(each) || ts.isConstructSignatureDeclaration(each),
    );
    return called.length === 0 ? undefined : { node: called[called.length - 1] ?? node, scope };
  }
  const next = followName(written, program)?.next ?? [];
  return next.map((each) => findSignature(each, program)).find((each) => each !== undefined);
}

/** The last overload, as for TypeScript. A class without a constructor is made without arguments. */
function findCalled(name: ts.Node, program: ts.Program): Written | undefined {
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(name);
  const declarations = (symbol && resolveAlias(symbol, checker).declarations) ?? [];
  const holder = declarations.find(ts.isClassLike);
  const all: readonly ts.Node[] = holder?.members.filter(ts.isConstructorDeclaration) ?? declarations;
  const signatures = all.filter(ts.isFunctionLike);
  const overloads = signatures.filter((each) => !('body' in each) || each.body === undefined);
  const node = overloads.at(-1) ?? signatures.at(-1) ?? holder;
  if (node !== undefined) return { node, scope: nowhere };
  const value = declarations.find(ts.isVariableDeclaration);
  return value?.type && findSignature({ node: value.type, scope: nowhere }, program);
}
