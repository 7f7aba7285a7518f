/** Finds the docs of the aliases by which a type is written. */
import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { readSymbolDocs } from '../docs/read-docs.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import { isList } from './array-form.ts';
import { ownSymbol } from './type-order.ts';
import { type Written, followName, listArguments, referenced } from './written.ts';

export interface WrittenDocs {
  docs: Docs;
  /** The node that names the alias. */
  at: ts.Node;
}

/** Limit of aliases behind each other. */
const DEEPEST = 50;

/**
 * Lists the docs of aliases, outermost first, without the type's own. Empty if the type is written in several ways
 * with different docs: `Port | number` accepts every number.
 */
export function findWrittenDocs(
  type: ts.Type,
  written: readonly Written[],
  program: ts.Program,
): readonly WrittenDocs[] {
  const own = ownSymbol(type, program.getTypeChecker());
  const all = written.flatMap((each) => waysFrom(each, { own, program }, [], 0));
  // Most types are written without an alias that has docs, and comparing types is slow.
  if (all.every(({ chain }) => chain.length === 0)) return [];
  const ways = all.filter(({ end }) => end === undefined || isType(end, { type, own, program }));
  const first = ways[0]?.chain ?? [];
  const isSame = ({ chain }: Way): boolean =>
    chain.length === first.length && chain.every(({ docs }, index) => docs === first[index]?.docs);
  return ways.every(isSame) ? first : [];
}

/** The docs on the way from a written type to one that it stands for. */
interface Way {
  chain: readonly WrittenDocs[];
  /** May be the type; absent if it is. */
  end?: Written;
}

interface Wanted {
  type: ts.Type;
  own: ts.Symbol | undefined;
  program: ts.Program;
}

function waysFrom(
  written: Written,
  wanted: Omit<Wanted, 'type'>,
  chain: readonly WrittenDocs[],
  depth: number,
): Way[] {
  const named = depth > DEEPEST ? undefined : followName(written, wanted.program);
  if (named === undefined) return [{ chain, end: written }];
  if (named.symbol !== undefined && named.symbol === wanted.own) return [{ chain }];
  const { docs } = named;
  const isSilent = docs === undefined || (docs.description === undefined && docs.tags.length === 0);
  const next = isSilent ? chain : [...chain, { docs, at: written.node }];
  return named.next.flatMap((each) => waysFrom(each, wanted, next, depth + 1));
}

function isType({ node, scope }: Written, { type, own, program }: Wanted): boolean {
  if (!ts.isTypeNode(node))
    return own !== undefined && own.declarations?.includes(node as ts.Declaration) === true;
  const isPlain = ts.isTypeReferenceNode(node) && node.typeArguments === undefined;
  const is = program.getTypeChecker().getTypeFromTypeNode(node);
  if (is === type) return true;
  if (scope.size === 0 || isPlain) return false;
  // With type parameters in it, only its kind is known.
  return ts.isArrayTypeNode(node) || ts.isTupleTypeNode(node)
    ? isList(type, program.getTypeChecker())
    : (ts.isTypeLiteralNode(node) || ts.isMappedTypeNode(node)) && (type.flags & ts.TypeFlags.Object) !== 0;
}

/** The declaration of a named type with its arguments as written. Empty if the way there is not known. */
export function findInstance(
  type: ts.Type,
  written: readonly Written[],
  program: ts.Program,
): readonly Written[] {
  const own = ownSymbol(type, program.getTypeChecker());
  const found = own === undefined ? [] : written.flatMap((each) => instancesIn(each, own, program, 0));
  return found[0] ?? [];
}

function instancesIn(
  written: Written,
  own: ts.Symbol,
  program: ts.Program,
  depth: number,
): (readonly Written[])[] {
  const named = depth > DEEPEST ? undefined : followName(written, program);
  if (named === undefined) return [];
  if (named.symbol === own) return [named.next];
  return named.next.flatMap((each) => instancesIn(each, own, program, depth + 1));
}

/** Lists the aliases with constraints among the type arguments, which instances with equal types share. */
export function findConstrainedArguments(instance: readonly Written[], program: ts.Program): ts.Node[] {
  return instance.flatMap((each) => listArguments(each).flatMap((given) => constrainedIn(given, program, 0)));
}

function constrainedIn(written: Written, program: ts.Program, depth: number): ts.Node[] {
  if (depth > DEEPEST) return [];
  const { node, scope } = written;
  const named = ts.isTypeNode(node) ? followName(written, program) : undefined;
  const isDefined = hasOwnName(named?.symbol, program);
  const isHere = !isDefined && named?.docs?.tags.some(({ name }) => isConstraint(name)) === true;
  const inner = isDefined ? [] : (named?.next ?? []);
  const parts = ts.isTypeReferenceNode(node)
    ? (node.typeArguments ?? [])
    : ts.isArrayTypeNode(node)
      ? [node.elementType]
      : ts.isTupleTypeNode(node)
        ? node.elements
        : [];
  const deeper = [...inner, ...parts.map((part) => ({ node: part, scope }))];
  return [...(isHere ? [node] : []), ...deeper.flatMap((each) => constrainedIn(each, program, depth + 1))];
}

/** Whether the checker keeps the name, so that the type has a definition of its own. */
function hasOwnName(symbol: ts.Symbol | undefined, program: ts.Program): boolean {
  if (symbol === undefined) return false;
  return (
    ownSymbol(program.getTypeChecker().getDeclaredTypeOfSymbol(symbol), program.getTypeChecker()) === symbol
  );
}

/** Lists the nodes within a written type that name an alias with constraints whose name the checker forgets. */
export function listConstrainedNames(node: ts.Node, program: ts.Program): { at: ts.Node; name: string }[] {
  if (ts.isFunctionLike(node)) return [];
  const found: { at: ts.Node; name: string }[] = [];
  if (ts.isTypeReferenceNode(node)) {
    const symbol = referenced(node, program);
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.TypeAlias) !== 0;
    if (isAlias && isConstrained(symbol) && !hasOwnName(symbol, program))
      found.push({ at: node, name: symbol.name });
  }
  const skipped = ts.isConditionalTypeNode(node) ? [node.checkType, node.extendsType] : [];
  ts.forEachChild(node, (child) => {
    if (!skipped.some((each) => each === child)) found.push(...listConstrainedNames(child, program));
  });
  return found;
}

function isConstrained(symbol: ts.Symbol): boolean {
  return readSymbolDocs(symbol).tags.some(({ name }) => isConstraint(name));
}
