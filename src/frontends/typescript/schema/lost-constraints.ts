/** Reports constraints of aliases that the schema of a place does not have. */
import { ts } from 'ts-morph';

import { unionMembers } from '../program/checker-queries.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import { isArrayOrTuple } from './array-form.ts';
import { type Name, listConstrained } from './constrained-names.ts';
import { makeConstraintDocs } from './constraint-types.ts';
import type { Place, Reading } from './form.ts';
import { KEY } from './node-parts.ts';
import { listComponentTypes } from './type-order.ts';
import { type WrittenPlace, listScopeArguments, resolveWritten } from './written.ts';
import { type Written, isReference, findCachedSymbol } from './written-node.ts';
import { NAMELESS, type WrittenDocs, type WrittenNames, findWrittenDocs, isUnbound } from './written-docs.ts';

/** @param names docs of the aliases by which this place writes the type */
export function reportLostConstraints(
  type: ts.Type,
  names: WrittenNames,
  place: Place,
  reading: Reading,
): void {
  // Alternatives are read one by one.
  if (place.isLibrary || type.isUnion()) return;
  if (names === NAMELESS) {
    reportConstrainedTypes(listTextParts(type), place, reading);
    return;
  }
  const { program } = reading;
  const { docs, mixed, texts, isOpen } = names;
  const applied = new Set(docs.map(({ at }) => findReferencedSymbol(at, reading)));
  const within = texts.flatMap((text) => listConstrained(text, program));
  const origins = isOpen ? findNearestWrittenTypes(place.written, reading) : [];
  const open = origins.flatMap((each) => listConstrained(each, program));
  const fitting = open.filter(({ symbol }) => !applied.has(symbol) && mayAliasType(symbol, type, reading));
  reportLostNames([...listConstrainedNames(mixed, reading), ...within, ...fitting], place, reading);
  reportConstrainedTypes(listTextParts(type), place, reading);
}

/** The keys of a map or record have no schema of their own. */
export function reportLostKeyConstraints(key: ts.Type, place: Place, reading: Reading): void {
  if (place.isLibrary) return;
  const written = resolveWritten({ above: place.written, step: KEY, node: undefined }, reading.program);
  const { docs, mixed, texts } = findWrittenDocs(key, written, reading.program);
  const within = texts.flatMap((text) => listConstrained(text, reading.program));
  reportLostNames([...listConstrainedNames([...docs, ...mixed], reading), ...within], place, reading);
  reportConstrainedTypes([key, ...listTextParts(key)], place, reading);
}

/** Lists the types whose text a string type holds. */
function listTextParts(type: ts.Type): readonly ts.Type[] {
  if (type.flags & ts.TypeFlags.TemplateLiteral) return (type as ts.TemplateLiteralType).types;
  return type.flags & ts.TypeFlags.StringMapping ? [(type as ts.StringMappingType).type] : [];
}

function reportConstrainedTypes(types: readonly ts.Type[], place: Place, reading: Reading): void {
  if (types.length === 0) return;
  const [at = place.at] = resolveWritten(place.written, reading.program).map(({ node }) => node);
  for (const type of types.flatMap(unionMembers))
    if (type.isIntersection() && makeConstraintDocs(type, place, reading).tags.length > 0) {
      const name = reading.checker.typeToString(type);
      reading.tell('constraint-lost', { name }, findReported(at, place.written, reading));
    }
}

/** Reports aliases that the schema shared by all instances of a type can't have. */
export function reportUnsharedConstraints(nodes: readonly ts.Node[], place: Place, reading: Reading): void {
  if (place.isLibrary) return;
  reportLostNames(
    nodes.flatMap((at) => ({ at, symbol: findReferencedSymbol(at, reading) })),
    place,
    reading,
  );
}

function findReferencedSymbol(node: ts.Node, { program }: Reading): ts.Symbol | undefined {
  return isReference(node) ? findCachedSymbol(node, program) : undefined;
}

function listConstrainedNames(docs: readonly WrittenDocs[], reading: Reading): Name[] {
  const constrained = docs.filter((each) => each.docs.tags.some(({ name }) => isConstraint(name)));
  return constrained.map(({ at }) => ({ at, symbol: findReferencedSymbol(at, reading) }));
}

function reportLostNames(names: readonly Name[], place: Place, reading: Reading): void {
  for (const { at, symbol } of names) {
    const name = symbol?.name ?? at.getText();
    reading.tell('constraint-lost', { name }, findReported(at, place.written, reading));
  }
}

/** Finds the name where it is written for this place, or the type that led to it. */
function findReported(at: ts.Node, place: WrittenPlace, { program }: Reading): ts.Node {
  const chain = [at];
  let above = place;
  for (; 'above' in above; above = above.above)
    chain.push(...resolveWritten(above, program).map(({ node }) => node));
  const roots = above.flatMap((each) => [each.node, ...listScopeArguments(each).map(({ node }) => node)]);
  const isInside = (node: ts.Node): boolean => roots.some((root) => containsNode(root, node));
  return chain.find(isInside) ?? roots[0] ?? at;
}

function containsNode(outer: ts.Node, inner: ts.Node): boolean {
  return outer.getSourceFile() === inner.getSourceFile() && outer.pos <= inner.pos && inner.end <= outer.end;
}

/** Finds the nearest written type around a place of which nothing else is known. */
function findNearestWrittenTypes(place: WrittenPlace, { program }: Reading): readonly Written[] {
  let guess: readonly Written[] = [];
  let above = place;
  for (; 'above' in above; above = above.above) {
    const found = resolveWritten(above, program);
    const isKnown = found.length > 0 && above.isGuess !== true;
    if (isKnown && !found.every((each) => isUnbound(each, program))) return found;
    if (guess.length === 0) guess = found;
  }
  return above.length > 0 ? above : guess;
}

const DEEPEST = 3;

/** Whether the alias may be the type, or a part of it. */
function mayAliasType(
  symbol: ts.Symbol | undefined,
  type: ts.Type,
  { checker }: Reading,
  depth = 0,
): boolean {
  if (symbol === undefined || depth > DEEPEST) return false;
  const declared = checker.getDeclaredTypeOfSymbol(symbol);
  if (unionMembers(declared).includes(type) || declared === type) return true;
  if (isArrayOrTuple(declared, checker) && isArrayOrTuple(type, checker)) return true;
  return listComponentTypes(type, checker).some((part) =>
    mayAliasType(symbol, part, { checker } as Reading, depth + 1),
  );
}
