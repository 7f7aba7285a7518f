import { ts } from 'ts-morph';
import { isOfLibrary } from './library-kind.ts';
import { closedType, isOpen } from './open-type.ts';

const { ObjectFlags, SymbolFlags, TypeFlags } = ts;

/** How long a name may become before it is cut. */
const longest = 64;

/** What a type is called in a source. */
export interface NamedType {
  /** `Page_User` for `Page<User>`: made of `[A-Za-z0-9_]`. */
  name: string;
  symbol: ts.Symbol;
}

/**
 * The name of an alias, interface, class or enum. The language's own aliases (`Partial<User>`) name what is done to a type,
 * not a type, so they have none unless they are `recursive`.
 */
export function nameOf(type: ts.Type, program: ts.Program, recursive = false): NamedType | undefined {
  const symbol = ownSymbol(type);
  if (symbol === undefined) return undefined;
  if (symbol === type.aliasSymbol && !recursive && isOfLibrary(symbol, program)) return undefined;
  const checker = program.getTypeChecker();
  return { name: cut(instanceName(symbol, argumentsOf(type, symbol, checker), checker)), symbol };
}

function ownSymbol(type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol !== undefined) return type.aliasSymbol;
  const symbol = type.getSymbol();
  if (symbol === undefined) return undefined;
  const { objectFlags } = type as ts.ObjectType;
  const isNamed =
    type.flags & TypeFlags.Object &&
    objectFlags & (ObjectFlags.ClassOrInterface | ObjectFlags.Reference) &&
    symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class);
  if (isNamed) return symbol;
  return symbol.flags & SymbolFlags.Enum && type.flags & TypeFlags.EnumLike ? symbol : undefined;
}

/** The type arguments; a class's own `this` and the parameters of what stands around it are none. */
function argumentsOf(type: ts.Type, symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Type[] {
  if (symbol === type.aliasSymbol) return type.aliasTypeArguments ?? [];
  const { target } = type as ts.TypeReference;
  if (!((type as ts.ObjectType).objectFlags & ObjectFlags.Reference)) return [];
  const count = target.localTypeParameters?.length ?? 0;
  const outer = target.outerTypeParameters?.length ?? 0;
  return checker.getTypeArguments(type as ts.TypeReference).slice(outer, outer + count);
}

function instanceName(symbol: ts.Symbol, given: readonly ts.Type[], checker: ts.TypeChecker): string {
  const own = clean(declaredName(symbol));
  return [own, ...given.map((argument) => typeWord(argument, checker, 0))].join('_');
}

/** A default export is called what its declaration says, else as its file. */
function declaredName(symbol: ts.Symbol): string {
  if (symbol.name !== 'default' && !symbol.name.startsWith('__')) return symbol.name;
  const [declaration] = symbol.declarations ?? [];
  const written = declaration && ts.getNameOfDeclaration(declaration);
  if (written !== undefined && ts.isIdentifier(written)) return written.text;
  return declaration === undefined ? 'Type' : fileStem(declaration.getSourceFile().fileName);
}

/** A word for a type argument. What has no name is `object`. */
function typeWord(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const again = (part: ts.Type): string => typeWord(part, checker, depth + 1);
  const symbol = ownSymbol(type);
  if (depth > 3) return 'object';
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return item === undefined ? 'Array' : `${again(item)}_Array`;
  }
  if (symbol !== undefined) {
    return [clean(declaredName(symbol)), ...argumentsOf(type, symbol, checker).map(again)].join('_');
  }
  if (isOpen(type)) {
    const closed = closedType(type, checker);
    return closed === undefined ? clean(type.symbol.name) : again(closed);
  }
  if (type.isUnion() && !(type.flags & TypeFlags.Boolean))
    return type.types.slice(0, 4).map(again).join('_or_');
  return type.flags & TypeFlags.Object || type.isIntersection()
    ? 'object'
    : clean(checker.typeToString(type));
}

function clean(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'Type';
}

function cut(name: string): string {
  return name.length <= longest ? name : `${name.slice(0, longest - 9)}_${hash(name)}`;
}

export function fileStem(file: string): string {
  return clean(file.replace(/^.*[\\/]/, '').replace(/\.(?:d\.)?[cm]?[jt]sx?$/, ''));
}

/** FNV-1a, 32 bits: short, and the same everywhere. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value.toString(16).padStart(8, '0');
}
