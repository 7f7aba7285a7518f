/**
 * Orders types by their declarations. The checker's order depends on what it met first, anywhere in the program, so
 * another file could change the output.
 */
import { ts } from 'ts-morph';
import { argumentsOf, ownSymbol } from './type-instance.ts';
import { compareValues } from './written-order.ts';

/** Depth to which arguments of two instances are compared. */
const deepest = 4;

/** Primitives come first, then literals by value, then declared types by place. */
export function inDeclaredOrder<T extends ts.Type>(types: readonly T[], checker: ts.TypeChecker): T[] {
  return types.toSorted((a, b) => compareTypes(a, b, checker));
}

export function compareTypes(a: ts.Type, b: ts.Type, checker: ts.TypeChecker, depth = 0): number {
  if (a === b) return 0;
  const [first, second] = [rankKind(a), rankKind(b)];
  if (first !== second) return first - second;
  if (first === kinds.indexOf('literal')) return compareValues(readValue(a), readValue(b));
  if (first === kinds.indexOf('template'))
    return compareValues(checker.typeToString(a), checker.typeToString(b));
  return (
    compareDeclarations(findFirstDeclaration(a, checker), findFirstDeclaration(b, checker)) ||
    compareArguments(a, b, checker, depth + 1)
  );
}

const kinds = ['primitive', 'literal', 'template', 'declared'] as const;

function rankKind(type: ts.Type): number {
  return kinds.indexOf(nameOfKind(type));
}

function nameOfKind(type: ts.Type): (typeof kinds)[number] {
  if (type.isLiteral()) return 'literal';
  if (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) return 'template';
  const isOther =
    type.flags & (ts.TypeFlags.StructuredType | ts.TypeFlags.Instantiable | ts.TypeFlags.EnumLike);
  return isOther ? 'declared' : 'primitive';
}

/** Bigints sort after numbers and texts, by digits. */
function readValue(type: ts.Type): string | number | bigint {
  if (!type.isLiteral()) return '';
  const { value } = type;
  return typeof value === 'object' ? BigInt(`${value.negative ? '-' : ''}${value.base10Value}`) : value;
}

function findFirstDeclaration(type: ts.Type, checker: ts.TypeChecker): ts.Declaration | undefined {
  return (ownSymbol(type, checker) ?? type.getSymbol())?.declarations?.[0];
}

/** A library's path differs between machines, so its types sort by name, behind the user's own. */
function compareDeclarations(a: ts.Declaration | undefined, b: ts.Declaration | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [first, second] = [a.getSourceFile(), b.getSourceFile()];
  if (first.isDeclarationFile !== second.isDeclarationFile) return first.isDeclarationFile ? 1 : -1;
  const byName = first.isDeclarationFile ? compareValues(declaredText(a), declaredText(b)) : 0;
  return byName || compareValues(first.fileName, second.fileName) || a.pos - b.pos;
}

function declaredText(declaration: ts.Declaration): string {
  return ts.getNameOfDeclaration(declaration)?.getText() ?? '';
}

function compareArguments(a: ts.Type, b: ts.Type, checker: ts.TypeChecker, depth: number): number {
  if (depth > deepest) return 0;
  const [some, others] = [listParts(a, checker), listParts(b, checker)];
  for (const [index, part] of some.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    const found = compareTypes(part, other, checker, depth);
    if (found !== 0) return found;
  }
  return some.length - others.length;
}

function listParts(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const symbol = ownSymbol(type, checker);
  if (symbol !== undefined) return argumentsOf(type, symbol, checker);
  if (type.isUnion()) return inDeclaredOrder(type.types, checker);
  if (type.isIntersection()) return type.types;
  return checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
}
