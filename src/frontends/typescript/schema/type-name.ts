import { ts } from 'ts-morph';
import { transliterateToLatin } from '../../../model/letters.ts';
import { shortHash } from '../../../util/short-hash.ts';
import { isOfStandardLibrary } from './library-types.ts';
import { closeParameter, isOpenType } from './open-type.ts';

const longest = 64;

export interface NamedType {
  /** `Page_User` for `Page<User>`, with `[A-Za-z0-9_]` only. */
  name: string;
  symbol: ts.Symbol;
}

/** The language's own aliases (`Partial<User>`) describe an operation, so they are names only if `recursive`. */
export function findTypeName(type: ts.Type, program: ts.Program, recursive = false): NamedType | undefined {
  const checker = program.getTypeChecker();
  const symbol = findDeclaringSymbol(type);
  if (symbol === undefined) return undefined;
  if (symbol.flags & ts.SymbolFlags.TypeAlias && !recursive && isOfStandardLibrary(symbol, program))
    return undefined;
  return {
    name: cutLongName(nameOfInstance(symbol, listTypeArguments(type, symbol, checker), checker)),
    symbol,
  };
}

function nameOfInstance(
  symbol: ts.Symbol,
  typeArguments: readonly ts.Type[],
  checker: ts.TypeChecker,
): string {
  const baseName = cleanTypeName(declaredName(symbol));
  return [baseName, ...typeArguments.map((argument) => nameOfArgument(argument, checker, 0))].join('_');
}

function declaredName(symbol: ts.Symbol): string {
  if (symbol.name !== 'default' && !symbol.name.startsWith('__')) return symbol.name;
  const [declaration] = symbol.declarations ?? [];
  const nameNode = declaration && ts.getNameOfDeclaration(declaration);
  if (nameNode !== undefined && ts.isIdentifier(nameNode)) return nameNode.text;
  return declaration === undefined ? 'Type' : cleanFileStem(declaration.getSourceFile().fileName);
}

function nameOfArgument(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const nameInnerArgument = (part: ts.Type): string => nameOfArgument(part, checker, depth + 1);
  const symbol = findDeclaringSymbol(type);
  if (depth > 3) return 'object';
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return item === undefined ? 'Array' : `${nameInnerArgument(item)}_Array`;
  }
  if (symbol !== undefined)
    return [
      cleanTypeName(declaredName(symbol)),
      ...listTypeArguments(type, symbol, checker).map(nameInnerArgument),
    ].join('_');
  if (isOpenType(type)) {
    const closed = closeParameter(type, checker);
    // `T[K]` has no symbol.
    return closed === undefined ? cleanTypeName(checker.typeToString(type)) : nameInnerArgument(closed);
  }
  if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean))
    return type.types.slice(0, 4).map(nameInnerArgument).join('_or_');
  return type.flags & ts.TypeFlags.Object || type.isIntersection()
    ? 'object'
    : cleanTypeName(checker.typeToString(type));
}

export function cleanTypeName(text: string): string {
  return (
    transliterateToLatin(text)
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '') || 'Type'
  );
}

function cutLongName(name: string): string {
  return name.length <= longest ? name : `${name.slice(0, longest - 9)}_${shortHash(name)}`;
}

export function cleanFileStem(file: string): string {
  return cleanTypeName(file.replace(/^.*[\\/]/, '').replace(/\.(?:d\.)?[cm]?[jt]sx?$/, ''));
}

/** Returns the alias, interface, class or enum of a type or of its instance. */
export function findDeclaringSymbol(type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol !== undefined) return type.aliasSymbol;
  const symbol = type.getSymbol();
  if (symbol === undefined) return undefined;
  const { objectFlags } = type as ts.ObjectType;
  const isNamed =
    type.flags & ts.TypeFlags.Object &&
    objectFlags & (ts.ObjectFlags.ClassOrInterface | ts.ObjectFlags.Reference) &&
    symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class);
  if (isNamed) return symbol;
  return symbol.flags & ts.SymbolFlags.Enum && type.flags & ts.TypeFlags.EnumLike ? symbol : undefined;
}

/** Excludes a class's own `this` and the parameters of enclosing declarations. */
function listTypeArguments(type: ts.Type, symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Type[] {
  if (symbol === type.aliasSymbol) return type.aliasTypeArguments ?? [];
  const { target } = type as ts.TypeReference;
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference)) return [];
  const count = target.localTypeParameters?.length ?? 0;
  const outer = target.outerTypeParameters?.length ?? 0;
  return checker.getTypeArguments(type as ts.TypeReference).slice(outer, outer + count);
}
