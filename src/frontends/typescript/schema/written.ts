/**
 * The checker forgets the alias of a primitive (`type Port = number`), so the written type is walked beside the
 * checker's type.
 */
import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { readSymbolDocs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import { isOfLibrary } from './library-types.ts';

/** A type node or the declaration of a type. */
export interface Written {
  node: ts.Node;
  scope: Scope;
}

/**
 * Arguments by type parameter. The `K` of a mapped type is the step to one member. `unknown` are the parameters of a
 * definition, which all instances share.
 */
type Scope = ReadonlyMap<ts.Symbol, Written | { step: string } | 'unknown'>;

/** A step from a written type to its member, item or element. */
export interface WrittenStep {
  above: WrittenPlace;
  step: string;
  /** The declared type of the member. */
  node: ts.TypeNode | undefined;
  /** The member's name in the type that a mapped type reads. */
  key?: string | undefined;
}

export type WrittenPlace = readonly Written[] | WrittenStep;

const nowhere: Scope = new Map();

export function writtenAs(node: ts.Node | undefined): WrittenPlace {
  return node === undefined ? [] : [{ node, scope: nowhere }];
}

export function writtenDefinition(declaration: ts.Node, program: ts.Program): WrittenPlace {
  if (!isTypeDeclaration(declaration)) return [];
  const scope = new Map<ts.Symbol, 'unknown'>();
  for (const parameter of declaration.typeParameters ?? []) {
    const symbol = program.getTypeChecker().getSymbolAtLocation(parameter.name);
    if (symbol !== undefined) scope.set(symbol, 'unknown');
  }
  return [{ node: ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration, scope }];
}

export function listArguments({ scope }: Written): Written[] {
  return [...scope.values()].filter((given) => given !== 'unknown').filter((given) => 'node' in given);
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
  known.set(place, result);
  return result;
}

function isMemberOf({ parent }: ts.TypeNode, above: ts.Node): boolean {
  const isMember = ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent);
  return isMember && parent.parent === above;
}

/** Limit of aliases and parts behind each other. */
const DEEPEST = 50;

function findParts(written: Written, step: string, key: string | undefined, program: ts.Program): Written[] {
  return shapesIn(written, program, 0).flatMap((shape) => findPartsOfShape(shape, step, key, program));
}

/** The alternatives of a type, each behind its names. */
function shapesIn(written: Written, program: ts.Program, depth: number): Written[] {
  const named = depth > DEEPEST ? undefined : followName(written, program);
  return named === undefined ? [written] : named.next.flatMap((each) => shapesIn(each, program, depth + 1));
}

function findPartsOfShape(
  { node, scope }: Written,
  step: string,
  key: string | undefined,
  program: ts.Program,
): Written[] {
  const at = (part: ts.Node | undefined): Written[] => (part === undefined ? [] : [{ node: part, scope }]);
  if (ts.isMappedTypeNode(node)) {
    const parameter = program.getTypeChecker().getSymbolAtLocation(node.typeParameter.name);
    if (parameter === undefined || node.type === undefined) return [];
    const member = { step: key === undefined ? step : `.${key}` };
    return [{ node: node.type, scope: new Map([...scope, [parameter, member]]) }];
  }
  if (ts.isArrayTypeNode(node)) return step.startsWith('[') ? at(node.elementType) : [];
  if (ts.isTupleTypeNode(node)) return findElements(node, step).flatMap(at);
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node))
    return isParameters(node, program)
      ? at(parameterType(node, scope, step, program))
      : at(argumentOfLibrary(node, step, program));
  const members: readonly ts.Node[] =
    ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node) || ts.isClassLike(node) ? node.members : [];
  const own = members.find((member) => isPart(member, step)) as { type?: ts.TypeNode } | undefined;
  if (own !== undefined) return at(own.type);
  return listBases(node).flatMap((base) => findParts({ node: base, scope }, step, key, program));
}

function isPart(member: ts.Node, step: string): boolean {
  if (ts.isIndexSignatureDeclaration(member)) return step === '[]';
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) return false;
  const { name } = member;
  return !ts.isComputedPropertyName(name) && step === `.${name.text}`;
}

function listBases(node: ts.Node): readonly ts.Node[] {
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassLike(node)) return [];
  return (node.heritageClauses ?? []).flatMap(({ types }) => types);
}

function findElements({ elements }: ts.TupleTypeNode, step: string): ts.Node[] {
  const index = /^\[(\d*)\]$/.exec(step)?.[1];
  if (index === undefined) return [];
  const first = elements.slice(0, Number(index)).findIndex(isRest);
  const own = index === '' || first !== -1 ? elements : elements.slice(Number(index), Number(index) + 1);
  return own.flatMap((element) => elementType(element) ?? []);
}

function isRest(element: ts.TypeNode | ts.NamedTupleMember): boolean {
  return (
    ts.isRestTypeNode(element) || (ts.isNamedTupleMember(element) && element.dotDotDotToken !== undefined)
  );
}

/** The type of one element; of a rest, that of its items. */
function elementType(element: ts.TypeNode | ts.NamedTupleMember): ts.TypeNode | undefined {
  const type = ts.isNamedTupleMember(element) || ts.isRestTypeNode(element) ? element.type : element;
  if (!isRest(element)) return ts.isOptionalTypeNode(type) ? type.type : type;
  return ts.isArrayTypeNode(type) ? type.elementType : undefined;
}

type Reference = ts.TypeReferenceNode | ts.ExpressionWithTypeArguments | ts.ImportTypeNode;

const MAPS: ReadonlySet<string> = new Set(['Map', 'ReadonlyMap', 'Record']);

/** `Array<A>`, `Set<A>`, `Map<K, A>` and `Record<K, A>` of the language. */
function argumentOfLibrary(node: Reference, step: string, program: ts.Program): ts.TypeNode | undefined {
  const name = referenced(node, program)?.name ?? '';
  if (step === '[key]') return node.typeArguments?.[0];
  if (MAPS.has(name)) return node.typeArguments?.[1];
  return step.startsWith('[') && node.typeArguments?.length === 1 ? node.typeArguments[0] : undefined;
}

function isParameters(node: Reference, program: ts.Program): boolean {
  const symbol = referenced(node, program);
  return symbol?.name === 'Parameters' && isOfLibrary(symbol, program);
}

/** `Parameters<typeof open>[0]` */
function parameterType(
  { typeArguments }: Reference,
  scope: Scope,
  step: string,
  program: ts.Program,
): ts.TypeNode | undefined {
  const node = typeArguments?.[0];
  const index = /^\[(\d+)\]$/.exec(step)?.[1];
  if (node === undefined || index === undefined) return undefined;
  return findSignature({ node, scope }, program)?.parameters[Number(index)]?.type;
}

interface Named {
  next: Written[];
  /** The alias, interface or class that the node names. */
  symbol?: ts.Symbol | undefined;
  docs?: Docs | undefined;
}

/** Follows a node that stands for other types by one step. Undefined for a type of its own. */
export function followName(written: Written, program: ts.Program): Named | undefined {
  const { node, scope } = written;
  const at = (...nodes: ts.Node[]): Named => ({ next: nodes.map((each) => ({ node: each, scope })) });
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return at(...node.types);
  if (ts.isConditionalTypeNode(node)) return at(node.trueType, node.falseType);
  if (ts.isIndexedAccessTypeNode(node)) return followAccess(node, scope, program);
  if (ts.isTypeQueryNode(node)) return followValue(node.exprName, program);
  if (isReference(node)) return followReference(node, scope, program);
  const isWrapped =
    ts.isParenthesizedTypeNode(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isOptionalTypeNode(node) ||
    (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword);
  return isWrapped ? at(node.type) : undefined;
}

function isReference(node: ts.Node): node is Reference {
  return ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isImportTypeNode(node);
}

export function referenced(node: Reference, program: ts.Program): ts.Symbol | undefined {
  const found = symbols.get(program) ?? new WeakMap<Reference, { symbol: ts.Symbol | undefined }>();
  symbols.set(program, found);
  const known = found.get(node) ?? { symbol: findReferenced(node, program) };
  found.set(node, known);
  return known.symbol;
}

/** The same nodes are asked for often: by both directions, and by each type that has a member of theirs. */
const symbols = new WeakMap<ts.Program, WeakMap<Reference, { symbol: ts.Symbol | undefined }>>();

function findReferenced(node: Reference, program: ts.Program): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node)
      ? node.qualifier
      : node.expression;
  const symbol = name && program.getTypeChecker().getSymbolAtLocation(name);
  return symbol && resolveAlias(symbol, program.getTypeChecker());
}

/** Utility types whose result is, or has the members of, their first argument; a promise is awaited. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'Partial Required Readonly Pick Omit NonNullable Exclude Extract Awaited NoInfer Promise PromiseLike'.split(
    ' ',
  ),
);

function followReference(node: Reference, scope: Scope, program: ts.Program): Named | undefined {
  const symbol = referenced(node, program);
  if (symbol === undefined) return undefined;
  const declarations = symbol.declarations ?? [];
  if (isOfLibrary(symbol, program)) {
    const [first] = node.typeArguments ?? [];
    if (first === undefined) return undefined;
    if (symbol.name === 'ReturnType') return followResult(first, scope, program);
    return TRANSPARENT.has(symbol.name) ? { next: [{ node: first, scope }] } : undefined;
  }
  if (symbol.flags & ts.SymbolFlags.TypeParameter) return followParameter(symbol, scope);
  const types = declarations.filter(isTypeDeclaration);
  if (types.length === 0) return undefined;
  const next = types.map((declaration) => ({
    node: ts.isTypeAliasDeclaration(declaration) ? declaration.type : declaration,
    scope: bind(declaration, node, scope, program),
  }));
  return { next, symbol, docs: symbol.flags & ts.SymbolFlags.TypeAlias ? readSymbolDocs(symbol) : undefined };
}

function bind(declaration: TypeDeclaration, node: Reference, scope: Scope, program: ts.Program): Scope {
  const bound = new Map<ts.Symbol, Written>();
  for (const [index, parameter] of (declaration.typeParameters ?? []).entries()) {
    const symbol = program.getTypeChecker().getSymbolAtLocation(parameter.name);
    const given = node.typeArguments?.[index];
    if (symbol === undefined) continue;
    if (given !== undefined) bound.set(symbol, { node: given, scope });
    else if (parameter.default !== undefined) bound.set(symbol, { node: parameter.default, scope: bound });
  }
  return bound;
}

/** A parameter of the function itself is closed by its default or constraint. */
function followParameter(symbol: ts.Symbol, scope: Scope): Named | undefined {
  const given = scope.get(symbol);
  if (given !== undefined) return given === 'unknown' || 'step' in given ? undefined : { next: [given] };
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

/** `ReturnType<typeof open>` and `ReturnType<Open>` */
function followResult(node: ts.TypeNode, scope: Scope, program: ts.Program): Named | undefined {
  const { type } = findSignature({ node, scope }, program) ?? {};
  return type && { next: [{ node: type, scope: nowhere }] };
}

function findSignature({ node, scope }: Written, program: ts.Program): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionTypeNode(node)) return node;
  if (!ts.isTypeQueryNode(node)) {
    const [next] = followName({ node, scope }, program)?.next ?? [];
    return next && findSignature(next, program);
  }
  const symbol = program.getTypeChecker().getSymbolAtLocation(node.exprName);
  const declaration = symbol && resolveAlias(symbol, program.getTypeChecker()).valueDeclaration;
  return declaration !== undefined && ts.isFunctionLike(declaration) ? declaration : undefined;
}

/** `Server['port']`, `Ports[number]`, and the `T[K]` of a mapped type. */
function followAccess(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  scope: Scope,
  program: ts.Program,
): Named | undefined {
  const steps = accessSteps(indexType, scope, program);
  const object = { node: objectType, scope };
  const next = steps.flatMap((step) => findParts(object, step, undefined, program));
  const owner = steps.length === 1 ? next[0]?.node.parent : undefined;
  const isMember = owner !== undefined && (ts.isPropertySignature(owner) || ts.isPropertyDeclaration(owner));
  const member = isMember ? program.getTypeChecker().getSymbolAtLocation(owner.name) : undefined;
  return { next, docs: member && describesValue(readSymbolDocs(member)) };
}

function accessSteps(index: ts.TypeNode, scope: Scope, program: ts.Program): string[] {
  if (ts.isUnionTypeNode(index)) return index.types.flatMap((each) => accessSteps(each, scope, program));
  const symbol = ts.isTypeReferenceNode(index) ? referenced(index, program) : undefined;
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

/** The docs of a member that hold for its value elsewhere too. */
function describesValue(docs: Docs): Docs {
  return { ...docs, tags: docs.tags.filter(({ name }) => !OF_THE_MEMBER.has(name)) };
}
