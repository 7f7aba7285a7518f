/**
 * The checker forgets the alias of a primitive (`type Port = number`), so the written type is walked beside the
 * checker's type.
 */
import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { findSymbolDocs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import { type Steps, bindTypeArgumentsOfCall, bindInferred } from './inferred.ts';
import { isOfStandardLibrary } from './library-types.ts';
import {
  KEY,
  MEMBERS,
  RETURNED,
  findElements,
  isMemberAtStep,
  findKeyTypeNode,
  listBases,
  listMembers,
  findMemberTypeNode,
} from './node-parts.ts';
import {
  type Bound,
  type Reference,
  type Scope,
  type Written,
  isReference,
  nowhere,
  findCachedSymbol,
} from './written-node.ts';
import { type Named, WrittenSearch } from './written-search.ts';

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
  /** Set when it is resolved. */
  found?: readonly Written[];
}

export type WrittenPlace = readonly Written[] | WrittenStep;

export function writtenPlaceOf(node: ts.Node | undefined): WrittenPlace {
  return node === undefined ? [] : [{ node, scope: nowhere }];
}

export function makeDeclarationPlace(declaration: ts.Node, program: ts.Program): WrittenPlace {
  if (!isTypeDeclaration(declaration)) return [];
  const node = findTypeBody(declaration);
  const parameters = ts.getEffectiveTypeParameterDeclarations(declaration);
  if (parameters.length === 0) return [{ node, scope: nowhere }];
  const scope = new Map<ts.Symbol, 'unknown'>();
  for (const parameter of parameters) {
    const symbol = program.getTypeChecker().getSymbolAtLocation(parameter.name);
    if (symbol !== undefined) scope.set(symbol, 'unknown');
  }
  return [{ node, scope }];
}

export function listScopeArguments({ scope }: Written): Written[] {
  return [...scope.values()].flatMap((given) => (given === 'unknown' || 'step' in given ? [] : given));
}

type TypeDeclaration =
  ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassLikeDeclaration | ts.JSDocTypedefTag;

/** A `@typedef` whose members are `@property` tags has no type node, so it is none. */
function isTypeDeclaration(node: ts.Node): node is TypeDeclaration {
  if (ts.isJSDocTypedefTag(node)) return findTypeBody(node) !== node;
  return ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassLike(node);
}

function findTypeBody(declaration: TypeDeclaration): ts.Node {
  if (ts.isTypeAliasDeclaration(declaration)) return declaration.type;
  const { typeExpression } = declaration as ts.JSDocTypedefTag;
  const isTyped = typeExpression !== undefined && ts.isJSDocTypeExpression(typeExpression);
  return isTyped ? typeExpression.type : declaration;
}

export function resolveWritten(place: WrittenPlace, program: ts.Program): readonly Written[] {
  if (!('above' in place)) return place;
  if (place.found !== undefined) return place.found;
  const { above, step, node, key } = place;
  let search: WrittenSearch | undefined;
  const parts = resolveWritten(above, program).flatMap((each) =>
    // Most members are declared in the type above, and need no search.
    node !== undefined && isMemberOf(node, each.node)
      ? [{ node, scope: each.scope }]
      : findPartsAtStep(each, step, key, (search ??= new WrittenSearch(program))),
  );
  const found = search?.isCut === true ? [] : parts;
  const declared = found.filter((each) => each.node === node);
  const last: readonly Written[] = node === undefined ? [] : [{ node, scope: nowhere }];
  place.isGuess = found.length === 0;
  place.found = declared.length > 0 ? declared : found.length > 0 ? found : last;
  return place.found;
}

function isMemberOf({ parent }: ts.TypeNode, above: ts.Node): boolean {
  const isMember = ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent);
  return isMember && parent.parent === above;
}

function findPartsAtStep(
  written: Written,
  step: string,
  key: string | undefined,
  search: WrittenSearch,
): readonly Written[] {
  return search.findPartsOnce(written, key === undefined ? step : `${step} ${key}`, (asked) => {
    const shapes = listAlternatives(asked, search);
    return [...new Set(shapes.flatMap((shape) => findPartsOfShape(shape, step, key, search)))];
  });
}

/** Lists the alternatives of a type, each behind its names. */
function listAlternatives(written: Written, search: WrittenSearch): Written[] {
  const found: Written[] = [];
  search.walkTypes(written, (each) => {
    const named = followName(each, search);
    if (named === undefined) found.push(each);
    return named?.next ?? [];
  });
  return found;
}

function findPartsOfShape(
  { node, scope }: Written,
  step: string,
  key: string | undefined,
  search: WrittenSearch,
): Written[] {
  const at = (part: ts.Node | undefined): Written[] => (part === undefined ? [] : [{ node: part, scope }]);
  if (ts.isMappedTypeNode(node)) {
    if (step === KEY) return at(node.typeParameter.constraint);
    const parameter = search.program.getTypeChecker().getSymbolAtLocation(node.typeParameter.name);
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
        : findPartsAtStep({ node: type, scope }, rest, key, search),
    );
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node))
    return at(findLibraryTypeArgument(node, step, search));
  const own = listMembers(node).filter((member) => isMemberAtStep(member, step));
  const found = own.flatMap((member) =>
    at(step === KEY ? findKeyTypeNode(member) : findMemberTypeNode(member)),
  );
  if (found.length > 0 && step !== MEMBERS) return found;
  return [
    ...found,
    ...listBases(node).flatMap((base) => findPartsAtStep({ node: base, scope }, step, key, search)),
  ];
}

const MAPS: ReadonlySet<string> = new Set(['Map', 'ReadonlyMap', 'Record']);

const ITERATORS = /^(?:Async)?(?:Iterable|Iterator|IterableIterator|Generator)$/;

/** `Array<A>`, `Set<A>`, `Map<K, A>` and `Record<K, A>` of the language. */
function findLibraryTypeArgument(
  node: Reference,
  step: string,
  search: WrittenSearch,
): ts.TypeNode | undefined {
  const name = findCachedSymbol(node, search.program)?.name ?? '';
  if (step === KEY) return node.typeArguments?.[0];
  if (MAPS.has(name) || step === RETURNED) return node.typeArguments?.[1];
  if (step === '[]' && ITERATORS.test(name)) return node.typeArguments?.[0];
  return step.startsWith('[') && node.typeArguments?.length === 1 ? node.typeArguments[0] : undefined;
}

/** Follows a node that stands for other types by one step. Undefined for a type of its own. */
export function followName(written: Written, search: WrittenSearch): Named | undefined {
  return isUnnamedType(written.node)
    ? undefined
    : search.followNameOnce(written, (asked) => followNode(asked, search));
}

function isUnnamedType(node: ts.Node): boolean {
  return !ts.isTypeNode(node) || ts.isLiteralTypeNode(node) || ts.isTypeLiteralNode(node);
}

/** Whether a node certainly writes a type without any alias. */
export function isNameless({ node }: Written): boolean {
  return ts.isToken(node) || ts.isArrayTypeNode(node) || ts.isTupleTypeNode(node) || isUnnamedType(node);
}

function followNode({ node, scope }: Written, search: WrittenSearch): Named | undefined {
  const at = (...nodes: ts.Node[]): Named => ({ next: nodes.map((each) => ({ node: each, scope })) });
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return at(...node.types);
  if (ts.isConditionalTypeNode(node)) {
    // A recursive condition ends where nothing more is inferred.
    if (isUninferred({ node: node.checkType, scope }, search)) return { next: [] };
    const chosen = { node: node.trueType, scope: bindInferred(node, scope, makeInferenceSteps(search)) };
    return { next: [chosen, { node: node.falseType, scope }] };
  }
  if (ts.isIndexedAccessTypeNode(node)) return followIndexedAccess(node, scope, search);
  if (ts.isTypeQueryNode(node)) return followTypeQuery(node.exprName, search);
  if (isReference(node)) return followReference(node, scope, search);
  const isWrapped =
    ts.isParenthesizedTypeNode(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isOptionalTypeNode(node) ||
    (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword);
  return isWrapped ? at(node.type) : undefined;
}

/** Whether it names an `infer` whose type was not found. */
function isUninferred({ node, scope }: Written, search: WrittenSearch): boolean {
  const symbol = ts.isTypeReferenceNode(node) ? findCachedSymbol(node, search.program) : undefined;
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.TypeParameter) === 0) return false;
  const given = scope.get(symbol);
  if (given === undefined)
    return symbol.declarations?.some(({ parent }) => ts.isInferTypeNode(parent)) === true;
  return given !== 'unknown' && !('step' in given) && given.every((each) => isUninferred(each, search));
}

/** Utility types whose result is, or has the members of, their first argument; a promise is awaited. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'Partial Required Readonly Pick Omit NonNullable Exclude Extract Awaited NoInfer Promise PromiseLike'.split(
    ' ',
  ),
);

function followReference(node: Reference, scope: Scope, search: WrittenSearch): Named | undefined {
  const symbol = findCachedSymbol(node, search.program);
  if (symbol === undefined) return undefined;
  if (symbol.flags & ts.SymbolFlags.TypeParameter) return followParameter(symbol, scope);
  const declarations = symbol.declarations ?? [];
  if (isOfStandardLibrary(symbol, search.program)) {
    const [first] = node.typeArguments ?? [];
    if (first === undefined) return undefined;
    if (TRANSPARENT.has(symbol.name)) return { next: [{ node: first, scope }] };
    return followUtilityType(symbol, node, scope, search);
  }
  const types = declarations.filter(isTypeDeclaration);
  if (types.length === 0) return undefined;
  const next = types.map((declaration) => ({
    node: findTypeBody(declaration),
    scope: bindTypeArguments(declaration, node, scope, search),
  }));
  return { next, symbol, docs: symbol.flags & ts.SymbolFlags.TypeAlias ? findSymbolDocs(symbol) : undefined };
}

/** Follows utility types that are conditional types, such as `Parameters` and `ReturnType`. */
function followUtilityType(
  { declarations = [] }: ts.Symbol,
  node: Reference,
  scope: Scope,
  search: WrittenSearch,
): Named | undefined {
  const alias = declarations.find(ts.isTypeAliasDeclaration);
  if (alias === undefined || !ts.isConditionalTypeNode(alias.type)) return undefined;
  return { next: [{ node: alias.type, scope: bindTypeArguments(alias, node, scope, search) }] };
}

function bindTypeArguments(
  declaration: TypeDeclaration,
  node: Reference,
  scope: Scope,
  search: WrittenSearch,
): Scope {
  const parameters = ts.getEffectiveTypeParameterDeclarations(declaration);
  if (parameters.length === 0) return nowhere;
  const bound = new Map<ts.Symbol, Bound>();
  for (const [index, parameter] of parameters.entries()) {
    const symbol = search.program.getTypeChecker().getSymbolAtLocation(parameter.name);
    const given = node.typeArguments?.[index];
    if (symbol === undefined) continue;
    if (given !== undefined) bound.set(symbol, bindArgument(given, scope, search));
    else if (parameter.default !== undefined)
      bound.set(symbol, [{ node: parameter.default, scope: new Map(bound) }]);
  }
  return bound;
}

/** A parameter that is passed on stands for what it was given, so that scopes come again in a recursion. */
function bindArgument(node: ts.TypeNode, scope: Scope, search: WrittenSearch): Bound {
  const symbol = ts.isTypeReferenceNode(node) ? findCachedSymbol(node, search.program) : undefined;
  return (symbol && scope.get(symbol)) ?? [{ node, scope }];
}

/** A parameter of the function itself is closed by its default or constraint. */
function followParameter(symbol: ts.Symbol, scope: Scope): Named | undefined {
  const given = scope.get(symbol);
  if (given !== undefined) return given === 'unknown' || 'step' in given ? undefined : { next: given };
  const declaration = symbol.declarations?.find((each) => ts.isTypeParameterDeclaration(each));
  const closed = declaration?.default ?? declaration?.constraint;
  return closed && { next: [{ node: closed, scope }] };
}

function followTypeQuery(name: ts.Node, search: WrittenSearch): Named | undefined {
  const symbol = search.program.getTypeChecker().getSymbolAtLocation(name);
  const declaration = symbol && resolveAlias(symbol, search.program.getTypeChecker()).valueDeclaration;
  const type = (declaration as { type?: ts.TypeNode } | undefined)?.type;
  if (declaration === undefined || type === undefined || ts.isFunctionLike(declaration)) return undefined;
  return { next: [{ node: type, scope: nowhere }] };
}

/** `Server['port']`, `Ports[number]`, and the `T[K]` of a mapped type. */
function followIndexedAccess(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  scope: Scope,
  search: WrittenSearch,
): Named | undefined {
  const steps = stepsOfIndex(indexType, scope, search);
  const object = { node: objectType, scope };
  const next = steps.flatMap((step) => findPartsAtStep(object, step, undefined, search));
  const owner = steps.length === 1 ? next[0]?.node.parent : undefined;
  const isMember = owner !== undefined && (ts.isPropertySignature(owner) || ts.isPropertyDeclaration(owner));
  const member = isMember ? search.program.getTypeChecker().getSymbolAtLocation(owner.name) : undefined;
  return { next, docs: member && keepDocsOfValue(findSymbolDocs(member)) };
}

function stepsOfIndex(index: ts.TypeNode, scope: Scope, search: WrittenSearch): string[] {
  // `T[keyof T]`
  if (ts.isTypeOperatorNode(index) && index.operator === ts.SyntaxKind.KeyOfKeyword) return [MEMBERS];
  if (ts.isUnionTypeNode(index)) return index.types.flatMap((each) => stepsOfIndex(each, scope, search));
  const symbol = ts.isTypeReferenceNode(index) ? findCachedSymbol(index, search.program) : undefined;
  const bound = symbol && scope.get(symbol);
  if (bound !== undefined) return bound !== 'unknown' && 'step' in bound ? [bound.step] : [];
  const type = search.program.getTypeChecker().getTypeFromTypeNode(index);
  return (type.isUnion() ? type.types : [type]).flatMap((each) => {
    if (each.isStringLiteral()) return [`.${each.value}`];
    if (each.isNumberLiteral()) return [`[${each.value}]`];
    return (each.flags & (ts.TypeFlags.Number | ts.TypeFlags.String)) === 0 ? [] : ['[]'];
  });
}

const OF_THE_MEMBER: ReadonlySet<string> = new Set(['default', 'hidden', 'header', 'deprecated', 'schema']);

/** Keeps the docs of a member that hold for its value elsewhere too. */
function keepDocsOfValue(docs: Docs): Docs {
  return { ...docs, tags: docs.tags.filter(({ name }) => !OF_THE_MEMBER.has(name)) };
}

function makeInferenceSteps(search: WrittenSearch): Steps {
  return {
    program: search.program,
    findParts: (written, step) => findPartsAtStep(written, step, undefined, search),
    listAlternatives: (written) => listAlternatives(written, search),
    follow: (written) => followName(written, search)?.next ?? [],
  };
}

/** Infers the type arguments of a call from the functions given to it: `const open = wrap((port: Port) => …)`. */
export function inferTypeArgumentsOfCall(call: ts.CallExpression, program: ts.Program): Scope {
  return bindTypeArgumentsOfCall(call, makeInferenceSteps(new WrittenSearch(program)));
}
