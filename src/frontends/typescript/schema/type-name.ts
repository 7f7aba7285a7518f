import { ts } from 'ts-morph';
import { toLatin } from '../../../model/letters.ts';
import { shortHash } from '../../../util/short-hash.ts';
import { listTypeArguments, inDeclaredOrder, ownSymbol } from './type-order.ts';
import { isOfLibrary } from './library-types.ts';
import { closedType, isOpen } from './open-type.ts';

const longest = 64;

export interface NamedType {
  /** `Page_User` for `Page<User>`, with `[A-Za-z0-9_]` only. */
  name: string;
  symbol: ts.Symbol;
}

/** The language's own aliases (`Partial<User>`) describe an operation, so they are names only if `recursive`. */
export function findTypeName(type: ts.Type, program: ts.Program, recursive = false): NamedType | undefined {
  const checker = program.getTypeChecker();
  const symbol = ownSymbol(type, checker);
  if (symbol === undefined) return undefined;
  if (symbol.flags & ts.SymbolFlags.TypeAlias && !recursive && isOfLibrary(symbol, program)) return undefined;
  return { name: cut(instanceName(symbol, listTypeArguments(type, symbol, checker), checker)), symbol };
}

function instanceName(symbol: ts.Symbol, given: readonly ts.Type[], checker: ts.TypeChecker): string {
  const own = clean(declaredName(symbol));
  return [own, ...given.map((argument) => typeWord(argument, checker, 0))].join('_');
}

function declaredName(symbol: ts.Symbol): string {
  if (symbol.name !== 'default' && !symbol.name.startsWith('__')) return symbol.name;
  const [declaration] = symbol.declarations ?? [];
  const written = declaration && ts.getNameOfDeclaration(declaration);
  if (written !== undefined && ts.isIdentifier(written)) return written.text;
  return declaration === undefined ? 'Type' : fileStem(declaration.getSourceFile().fileName);
}

function typeWord(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const again = (part: ts.Type): string => typeWord(part, checker, depth + 1);
  const symbol = ownSymbol(type, checker);
  if (depth > 3) return 'object';
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return item === undefined ? 'Array' : `${again(item)}_Array`;
  }
  if (symbol !== undefined)
    return [clean(declaredName(symbol)), ...listTypeArguments(type, symbol, checker).map(again)].join('_');
  if (isOpen(type)) {
    const closed = closedType(type, checker);
    // `T[K]` has no symbol.
    return closed === undefined ? clean(checker.typeToString(type)) : again(closed);
  }
  if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean))
    return inDeclaredOrder(type.types, checker).slice(0, 4).map(again).join('_or_');
  return type.flags & ts.TypeFlags.Object || type.isIntersection()
    ? 'object'
    : clean(checker.typeToString(type));
}

export function clean(text: string): string {
  return (
    toLatin(text)
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '') || 'Type'
  );
}

function cut(name: string): string {
  return name.length <= longest ? name : `${name.slice(0, longest - 9)}_${shortHash(name)}`;
}

function fileStem(file: string): string {
  return clean(file.replace(/^.*[\\/]/, '').replace(/\.(?:d\.)?[cm]?[jt]sx?$/, ''));
}
