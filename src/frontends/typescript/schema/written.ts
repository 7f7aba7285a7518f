/**
 * The checker forgets the alias of a primitive (`type Port = number`), so the written type is walked beside the
 * checker's type.
 */
import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { readSymbolDocs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import { type Steps, bindCall, bindInferred } from './inferred.ts';
import { isOfLibrary } from './library-types.ts';
import {
  KEY,
  MEMBERS,
  RETURNED,
  findElements,
  isPart,
  keyNode,
  listBases,
  listMembers,
  memberNode,
} from './node-parts.ts';
import {
  type Reference,
  type Scope,
  type Written,
  isReference,
  nowhere,
  referencedSymbol,
} from './written-node.ts';

/** A step from a written type to its member, item or element. */
export interface WrittenStep {
  above: WrittenPlace;
  step: string;
  /** The declared type of the member. */
  node: ts.TypeNode | undefined;
  /** The member's name in the type that a mapped type reads. */
  key?: string | undefined;
  /** Only the declared type is known, without the arguments of its type parameters. Set when it is resolved. */
  isGuess?: boolean;
}

export type WrittenPlace = readonly Written[] | WrittenStep;

export function writtenPlaceOf(node: ts.Node | undefined): WrittenPlace {
  return node === undefined ? [] : [{ node, scope: nowhere }];
}

export function writtenDeclaration(declaration: ts.Node, program: ts.Program): WrittenPlace {
  if (!isTypeDeclaration(declaration)) return [];
  const scope = new Map<ts.Symbol, 'unknown'>();
  for (const parameter of declaration.typeParameters ?? []) {
    const symbol = program.getTypeChecker().getSymbolAtLocation(parameter.name);
    if (symbol !== undefined) scope.set(symbol, 'unknown');
  }
  return [{ node: ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration, scope }];
}

export function listArguments({ scope }: Written): Written[] {
  return [...scope.values()].flatMap((given) => (given === 'unknown' || 'step' in given ? [] : given));
}

type TypeDeclaration = ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassLikeDeclaration;

function isTypeDeclaration(node: ts.Node): node is TypeDeclaration {
  return ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassLike(node);
}

const known = new WeakMap<WrittenStep, readonly Written[]>();

export function resolveWritten(place: WrittenPlace, program: ts.Program): readonly Written[] {
  if (!('above' in place)) return place;
  const before = known.get(place);
  if (before !== undefined) return before;
  const { above, step, node, key } = place;
  const found = resolveWritten(above, program).flatMap((each) =>
    // Most members are declared in the type above, and need no search.
    node !== undefined && isMemberOf(node, each.node)
      ? [{ node, scope: each.scope }]
      : findParts(each, step, key, program),
  );
  const declared = found.filter((each) => each.node === node);
  const last: readonly Written[] = node === undefined ? [] : [{ node, scope: nowhere }];
  const result = declared.length > 0 ? declared : found.length > 0 ? found : last;
  place.isGuess = found.length === 0;
  known.set(place, result);
  return result;
}

function isMemberOf({ parent }: ts.TypeNode, above: ts.Node): boolean {
  const isMember = ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent);
  return isMember && parent.parent === above;
}

/** Limit of aliases and parts behind each other. */
const DEEPEST = 30;

function findParts(written: Written, step: string, key: string | undefined, program: ts.Program): Written[] {
  if (searching >= MOST_SEARCHES) return [];
  searching += 1;
  try {
    return listAlternatives(written, program, 0).flatMap((shape) =>
      findPartsOfShape(shape, step, key, program),
    );
  } finally {
    searching -= 1;
  }
}

/** Counts searches in progress, one for the sake of another. */
let searching = 0;
const MOST_SEARCHES = 8;

/** Lists the alternatives of a type, each behind its names. */
function listAlternatives(written: Written, program: ts.Program, depth: number): Written[] {
  const named = depth > DEEPEST ? undefined : followName(written, program);
  return named === undefined
    ? [written]
    : named.next.flatMap((each) => listAlternatives(each, program, depth + 1));
}

function findPartsOfShape(
  { node, scope }: Written,
  step: string,
  key: string | undefined,
  program: ts.Program,
): Written[] {
  const at = (part: ts.Node | undefined): Written[] => (part === undefined ? [] : [{ node: part, scope }]);
  if (ts.isMappedTypeNode(node)) {
    if (step === KEY) return at(node.typeParameter.constraint);
    const parameter = program.getTypeChecker().getSymbolAtLocation(node.typeParameter.name);
    if (parameter === undefined || node.type === undefined) return [];
    const member = { step: key === undefined ? step : `.${key}` };
    return [{ node: node.type, scope: new Map([...scope, [parameter, member]]) }];
  }
  if (ts.isArrayTypeNode(node)) return step.startsWith('[') ? at(node.elementType) : [];
  const list = ts.isTupleTypeNode(node)
    ? node.elements
    : ts.isFunctionLike(node)
      ? (node.parameters as ts.NodeArray<ts.ParameterDeclaration>)
      : undefined;
  if (list !== undefined)
    return findElements(list, step).flatMap(({ type, rest }) =>
      rest === undefined || type === undefined
        ? at(type)
        : findParts({ node: type, scope }, rest, key, program),
    );
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node))
    return at(argumentOfLibrary(node, step, program));
  const own = listMembers(node).filter((member) => isPart(member, step));
  const found = own.flatMap((member) => at(step === KEY ? keyNode(member) : memberNode(member)));
  if (found.length > 0 && step !== MEMBERS) return found;
  return [
    ...found,
    ...listBases(node).flatMap((base) => findParts({ node: base, scope }, step, key, program)),
  ];
}

const MAPS: ReadonlySet<string> = new Set(['Map', 'ReadonlyMap', 'Record']);

const ITERATORS = /^(?:Async)?(?:Iterable|Iterator|IterableIterator|Generator)$/;

/** `Array<A>`, `Set<A>`, `Map<K, A>` and `Record<K, A>` of the language. */
function argumentOfLibrary(node: Reference, step: string, program: ts.Program): ts.TypeNode | undefined {
  const name = referencedSymbol(node, program)?.name ?? '';
  if (step === KEY) return node.typeArguments?.[0];
  if (MAPS.has(name) || step === RETURNED) return node.typeArguments?.[1];
  if (step === '[]' && ITERATORS.test(name)) return node.typeArguments?.[0];
  return step.startsWith('[') && node.typeArguments?.length === 1 ? node.typeArguments[0] : undefined;
}

interface Named {
  next: readonly Written[];
  /** The alias, interface or class that the node names. */
  symbol?: ts.Symbol | undefined;
  docs?: Docs | undefined;
}

/** Follows a node that stands for other types by one step. Undefined for a type of its own. */
export function followName(written: Written, program: ts.Program): Named | undefined {
  const { node, scope } = written;
  const at = (...nodes: ts.Node[]): Named => ({ next: nodes.map((each) => ({ node: each, scope })) });
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return at(...node.types);
  if (ts.isConditionalTypeNode(node)) {
    // A recursive condition ends where nothing more is inferred.
    if (isUninferred({ node: node.checkType, scope }, program)) return { next: [] };
    const chosen = { node: node.trueType, scope: bindInferred(node, scope, makeSteps(program)) };
    return { next: [chosen, { node: node.falseType, scope }] };
  }
  if (ts.isIndexedAccessTypeNode(node)) return followIndexedAccess(node, scope, program);
  if (ts.isTypeQueryNode(node)) return followValue(node.exprName, program);
  if (isReference(node)) return followReference(node, scope, program);
  const isWrapped =
    ts.isParenthesizedTypeNode(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isOptionalTypeNode(node) ||
    (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword);
  return isWrapped ? at(node.type) : undefined;
}

/** Whether it names an `infer` whose type was not found. */
function isUninferred({ node, scope }: Written, program: ts.Program): boolean {
  const symbol = ts.isTypeReferenceNode(node) ? referencedSymbol(node, program) : undefined;
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.TypeParameter) === 0) return false;
  const given = scope.get(symbol);
  if (given === undefined)
    return symbol.declarations?.some(({ parent }) => ts.isInferTypeNode(parent)) === true;
  return given !== 'unknown' && !('step' in given) && given.every((each) => isUninferred(each, program));
}

/** Utility types whose result is, or has the members of, their first argument; a promise is awaited. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'Partial Required Readonly Pick Omit NonNullable Exclude Extract Awaited NoInfer Promise PromiseLike'.split(
    ' ',
  ),
);

function followReference(node: Reference, scope: Scope, program: ts.Program): Named | undefined {
  const symbol = referencedSymbol(node, program);
  if (symbol === undefined) return undefined;
  if (symbol.flags & ts.SymbolFlags.TypeParameter) return followParameter(symbol, scope);
  const declarations = symbol.declarations ?? [];
  if (isOfLibrary(symbol, program)) {
    const [first] = node.typeArguments ?? [];
    if (first === undefined) return undefined;
    if (TRANSPARENT.has(symbol.name)) return { next: [{ node: first, scope }] };
    return followHelper(symbol, node, scope, program);
  }
  const types = declarations.filter(isTypeDeclaration);
  if (types.length === 0) return undefined;
  const next = types.map((declaration) => ({
    node: ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration,
    scope: bindTypeArguments(declaration, node, scope, program),
  }));
  return { next, symbol, docs: symbol.flags & ts.SymbolFlags.TypeAlias ? readSymbolDocs(symbol) : undefined };
}

/** `Parameters`, `ReturnType` and others choose by a condition. */
function followHelper(
  { declarations = [] }: ts.Symbol,
  node: Reference,
  scope: Scope,
  program: ts.Program,
): Named | undefined {
  const alias = declarations.find(ts.isTypeAliasDeclaration);
  if (alias === undefined || !ts.isConditionalTypeNode(alias.type)) return undefined;
  return { next: [{ node: alias.type, scope: bindTypeArguments(alias, node, scope, program) }] };
}

function bindTypeArguments(
  declaration: TypeDeclaration,
  node: Reference,
  scope: Scope,
  program: ts.Program,
): Scope {
  const bound = new Map<ts.Symbol, readonly Written[]>();
  for (const [index, parameter] of (declaration.typeParameters ?? []).entries()) {
    const symbol = program.getTypeChecker().getSymbolAtLocation(parameter.name);
    const given = node.typeArguments?.[index];
    if (symbol === undefined) continue;
    if (given !== undefined) bound.set(symbol, [{ node: given, scope }]);
    else if (parameter.default !== undefined) bound.set(symbol, [{ node: parameter.default, scope: bound }]);
  }
  return bound;
}

/** A parameter of the function itself is closed by its default or constraint. */
function followParameter(symbol: ts.Symbol, scope: Scope): Named | undefined {
  const given = scope.get(symbol);
  if (given !== undefined) return given === 'unknown' || 'step' in given ? undefined : { next: given };
  const declaration = symbol.declarations?.find((each) => ts.isTypeParameterDeclaration(each));
  const closed = declaration?.default ?? declaration?.constraint;
  return closed && { next: [{ node: closed, scope }] };
}

function followValue(name: ts.Node, program: ts.Program): Named | undefined {
  const symbol = program.getTypeChecker().getSymbolAtLocation(name);
  const declaration = symbol && resolveAlias(symbol, program.getTypeChecker()).valueDeclaration;
  const type = (declaration as { type?: ts.TypeNode } | undefined)?.type;
  if (declaration === undefined || type === undefined || ts.isFunctionLike(declaration)) return undefined;
  return { next: [{ node: type, scope: nowhere }] };
}

/** `Server['port']`, `Ports[number]`, and the `T[K]` of a mapped type. */
function followIndexedAccess(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  scope: Scope,
  program: ts.Program,
): Named | undefined {
  const steps = stepsOfIndex(indexType, scope, program);
  const object = { node: objectType, scope };
  const next = steps.flatMap((step) => findParts(object, step, undefined, program));
  const owner = steps.length === 1 ? next[0]?.node.parent : undefined;
  const isMember = owner !== undefined && (ts.isPropertySignature(owner) || ts.isPropertyDeclaration(owner));
  const member = isMember ? program.getTypeChecker().getSymbolAtLocation(owner.name) : undefined;
  return { next, docs: member && docsOfValue(readSymbolDocs(member)) };
}

function stepsOfIndex(index: ts.TypeNode, scope: Scope, program: ts.Program): string[] {
  // `T[keyof T]`
  if (ts.isTypeOperatorNode(index) && index.operator === ts.SyntaxKind.KeyOfKeyword) return [MEMBERS];
  if (ts.isUnionTypeNode(index)) return index.types.flatMap((each) => stepsOfIndex(each, scope, program));
  const symbol = ts.isTypeReferenceNode(index) ? referencedSymbol(index, program) : undefined;
  const bound = symbol && scope.get(symbol);
  if (bound !== undefined) return bound !== 'unknown' && 'step' in bound ? [bound.step] : [];
  const type = program.getTypeChecker().getTypeFromTypeNode(index);
  return (type.isUnion() ? type.types : [type]).flatMap((each) => {
    if (each.isStringLiteral()) return [`.${each.value}`];
    if (each.isNumberLiteral()) return [`[${each.value}]`];
    return (each.flags & (ts.TypeFlags.Number | ts.TypeFlags.String)) === 0 ? [] : ['[]'];
  });
}

const OF_THE_MEMBER: ReadonlySet<string> = new Set(['default', 'hidden', 'header', 'deprecated', 'schema']);

/** Keeps the docs of a member that hold for its value elsewhere too. */
function docsOfValue(docs: Docs): Docs {
  return { ...docs, tags: docs.tags.filter(({ name }) => !OF_THE_MEMBER.has(name)) };
}

function makeSteps(program: ts.Program): Steps {
  return {
    program,
    findParts: (written, step) => findParts(written, step, undefined, program),
    follow: (written) => followName(written, program)?.next ?? [],
  };
}

/** Infers the type arguments of a call from the functions given to it: `const open = wrap((port: Port) */
export function inferCall(call: ts.CallExpression, program: ts.Program): Scope {
  return bindCall(call, makeSteps(program));
}
