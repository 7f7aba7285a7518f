/** Finds the docs of the aliases by which a type is written. */
import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { hasMatchingDescendant } from '../program/checker-queries.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import { isArrayOrTuple } from './array-form.ts';
import { isNameKeptByChecker, listConstrained } from './constrained-names.ts';
import { findDeclaringSymbol } from './type-order.ts';
import { followName, isNameless, listScopeArguments } from './written.ts';
import { type Written, findCachedSymbol } from './written-node.ts';
import { WrittenSearch } from './written-search.ts';

export interface WrittenDocs {
  docs: Docs;
  /** The node that names the alias. */
  at: ts.Node;
}

/** The docs of the aliases by which a type is written. */
export interface WrittenNames {
  /** The docs of aliases, the outermost first, without the type's own. */
  docs: readonly WrittenDocs[];
  /** Docs that only some ways to write the type have: `Port | number` accepts every number. */
  mixed: readonly WrittenDocs[];
  /** Types whose text holds other types. */
  texts: readonly Written[];
  /** Whether the type may be written by other names too. */
  isOpen: boolean;
}

/** The result for most types, which no alias with docs writes. */
export const NAMELESS: WrittenNames = { docs: [], mixed: [], texts: [], isOpen: false };

export function findWrittenDocs(
  type: ts.Type,
  written: readonly Written[],
  program: ts.Program,
): WrittenNames {
  if (written.length > 0 && written.every(isNameless)) return NAMELESS;
  const own = findDeclaringSymbol(type, program.getTypeChecker());
  const search = new WrittenSearch(program);
  const all = written.flatMap((each) => listAliasPaths(each, own, search));
  if (search.isCut) return { docs: [], mixed: [], texts: [], isOpen: true };
  const isOpen = written.length === 0 || all.some((way) => way.isOpen === true);
  // Most types are written without an alias that has docs, and comparing types is slow.
  const isPlain = all.every(({ chain, end }) => chain.length === 0 && !isText(end, program));
  if (isPlain) return isOpen ? { ...NAMELESS, isOpen } : NAMELESS;
  const ways = all.filter(
    ({ end, isOpen: open }) => open !== true && (end === undefined || isType(end, { type, own, program })),
  );
  const first = ways[0]?.chain ?? [];
  const isSame = ({ chain }: Way): boolean =>
    chain.length === first.length && chain.every(({ docs }, index) => docs === first[index]?.docs);
  const texts = ways.flatMap(({ end }) => (end !== undefined && isText(end, program) ? [end] : []));
  const isClear = ways.every(isSame);
  return {
    docs: isClear ? first : [],
    mixed: isClear ? [] : ways.flatMap(({ chain }) => chain),
    texts,
    isOpen,
  };
}

/** `` `x-${Id}` `` and `Uppercase<Id>` */
function isText(written: Written | undefined, program: ts.Program): boolean {
  const node = written?.node;
  if (node === undefined) return false;
  return ts.isTemplateLiteralTypeNode(node) || (ts.isTypeReferenceNode(node) && isIntrinsic(node, program));
}

function isIntrinsic(node: ts.TypeReferenceNode, program: ts.Program): boolean {
  const [alias] = findCachedSymbol(node, program)?.declarations ?? [];
  return (
    alias !== undefined &&
    ts.isTypeAliasDeclaration(alias) &&
    alias.type.kind === ts.SyntaxKind.IntrinsicKeyword
  );
}

/** The docs on the way from a written type to one that it stands for. */
interface Way {
  chain: readonly WrittenDocs[];
  /** A type that may be the type; absent if it certainly is. */
  end?: Written;
  /** Whether the way ends at a name of unknown meaning. */
  isOpen?: true;
}

interface Wanted {
  type: ts.Type;
  own: ts.Symbol | undefined;
  program: ts.Program;
}

function listAliasPaths(start: Written, own: ts.Symbol | undefined, search: WrittenSearch): Way[] {
  const found: Way[] = [];
  const seen = new Map<Written, Set<readonly WrittenDocs[]>>();
  const open: { end: Written; chain: readonly WrittenDocs[] }[] = [{ end: start, chain: [] }];
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    const { chain } = way;
    const end = search.internWritten(way.end);
    const before = seen.get(end) ?? new Set();
    if (before.has(chain)) continue;
    if (!search.countStep(end)) break;
    seen.set(end, before.add(chain));
    const named = followName(end, search);
    if (named === undefined)
      found.push(isUnbound(end, search.program) ? { chain, isOpen: true } : { chain, end });
    else if (named.next.length === 0) found.push({ chain, isOpen: true });
    else if (named.symbol !== undefined && named.symbol === own) found.push({ chain });
    else {
      const next = addDocs(chain, named.docs, end.node);
      open.push(...named.next.map((each) => ({ end: each, chain: next })).toReversed());
    }
  }
  return found;
}

function addDocs(chain: readonly WrittenDocs[], docs: Docs | undefined, at: ts.Node): readonly WrittenDocs[] {
  const isSilent = docs === undefined || (docs.description === undefined && docs.tags.length === 0);
  return isSilent ? chain : [...chain, { docs, at }];
}

/** A type parameter without a known argument, the call that infers it, or keys that have no type of their own. */
export function isUnbound({ node, scope }: Written, program: ts.Program): boolean {
  if (ts.isCallExpression(node)) return true;
  if (ts.isTypeOperatorNode(node)) return node.operator === ts.SyntaxKind.KeyOfKeyword;
  if (!ts.isTypeReferenceNode(node) || node.typeArguments !== undefined) return false;
  const symbol = findCachedSymbol(node, program);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0 && !scope.has(symbol);
}

function isType({ node, scope }: Written, { type, own, program }: Wanted): boolean {
  if (!ts.isTypeNode(node))
    return own !== undefined && own.declarations?.includes(node as ts.Declaration) === true;
  const isPlain = ts.isTypeReferenceNode(node) && node.typeArguments === undefined;
  const is = program.getTypeChecker().getTypeFromTypeNode(node);
  if (is === type) return true;
  if (scope.size === 0 || isPlain) return false;
  // A type with type parameters in it is compared only by its kind.
  return ts.isArrayTypeNode(node) || ts.isTupleTypeNode(node)
    ? isArrayOrTuple(type, program.getTypeChecker())
    : (ts.isTypeLiteralNode(node) || ts.isMappedTypeNode(node)) && (type.flags & ts.TypeFlags.Object) !== 0;
}

/** Finds a named type's declaration, with its arguments as written. Empty if the way there is not known. */
export function findWrittenInstance(
  type: ts.Type,
  written: readonly Written[],
  program: ts.Program,
): readonly Written[] {
  const own = findDeclaringSymbol(type, program.getTypeChecker());
  if (own === undefined) return [];
  const search = new WrittenSearch(program);
  const found: (readonly Written[])[] = [];
  for (const start of written)
    search.walkTypes(start, (each) => {
      const named = followName(each, search);
      if (named?.symbol !== own) return named?.next ?? [];
      found.push(named.next);
      return [];
    });
  return search.isCut ? [] : (found[0] ?? []);
}

/** Lists the aliases with constraints among the type arguments, which instances with equal types share. */
export function constrainedTypeArguments(instance: readonly Written[], program: ts.Program): ts.Node[] {
  return instance.flatMap((each) => {
    const isInferred = hasMatchingDescendant(each.node, ts.isInferTypeNode);
    return listScopeArguments(each).flatMap((given) => {
      const search = new WrittenSearch(program);
      const found = isInferred ? [] : listReachedAliases(given, search);
      // Instances of one form may be made from different types.
      return isInferred || search.isCut ? listConstrained(given, program).map(({ at }) => at) : found;
    });
  });
}

function listReachedAliases(start: Written, search: WrittenSearch): ts.Node[] {
  const found: ts.Node[] = [];
  search.walkTypes(start, (each) => {
    const { node, scope } = each;
    const named = followName(each, search);
    const isDefined = isNameKeptByChecker(named?.symbol, search.program);
    const isHere = !isDefined && named?.docs?.tags.some(({ name }) => isConstraint(name)) === true;
    if (isHere) found.push(node);
    const parts = ts.isTypeReferenceNode(node)
      ? (node.typeArguments ?? [])
      : ts.isArrayTypeNode(node)
        ? [node.elementType]
        : ts.isTupleTypeNode(node)
          ? node.elements
          : [];
    const inner = isDefined ? [] : (named?.next ?? []);
    return [...inner, ...parts.map((part) => ({ node: part, scope }))];
  });
  return found;
}
