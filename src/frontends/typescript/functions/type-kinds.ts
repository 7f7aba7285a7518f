/** MCP content is recognised by its shape, so that any library's types work. */
import { ts } from 'ts-morph';

import { unionMembers } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isArrayOrTuple } from '../schema/array-form.ts';
import { isBytesType, libraryName } from '../schema/library-types.ts';
import { isEmptyObjectType } from '../schema/object-form.ts';
import { closeIfParameter } from '../schema/open-type.ts';

type Checker = Pick<SourceProgram, 'checker'>;
type Program = Pick<SourceProgram, 'checker' | 'program'>;

const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: ['resource'],
  resource_link: ['uri', 'name'],
};

export function mayBeContent(type: ts.Type, source: Checker): boolean {
  return unionMembers(type).some((alternative) => isOneContent(alternative, source));
}

export function isContentOnly(type: ts.Type, source: Checker): boolean {
  return unionMembers(source.checker.getNonNullableType(type)).every((alternative) =>
    isOneContent(alternative, source),
  );
}

function isOneContent(type: ts.Type, { checker }: Checker): boolean {
  return (
    isResult(type, checker) || isOneBlock(type, checker, false) || isContentBlockList(type, checker, false)
  );
}

export function isContentBlockType(type: ts.Type, { checker }: Checker): boolean {
  return unionMembers(type).every((alternative) => isOneBlock(alternative, checker, false));
}

/** The name of a content block's type that the project declares. Types of packages and of the runtime are MCP's. */
export function findDeclaredBlockType(type: ts.Type, source: SourceProgram): string | undefined {
  const { checker, userFiles } = source;
  const items = unionMembers(type).flatMap((alternative) =>
    isArrayOrTuple(alternative, checker)
      ? checker.getTypeArguments(alternative as ts.TypeReference).flatMap(unionMembers)
      : alternative,
  );
  const symbols = items.flatMap((item) => {
    const symbol = item.aliasSymbol ?? (item.isClassOrInterface() ? item.symbol : undefined);
    return symbol !== undefined && isOneBlock(item, checker, false) ? symbol : [];
  });
  const isDeclared = ({ declarations = [] }: ts.Symbol): boolean =>
    declarations.some((declaration) => userFiles.includes(declaration.getSourceFile()));
  return symbols.find(isDeclared)?.name;
}

export function isFullResult(type: ts.Type, { checker }: Checker): boolean {
  return !type.isUnion() && isResult(type, checker);
}

/** Returns the type of a full result's structure; undefined if it only says that it is an object. */
export function findStructuredContentType(type: ts.Type, { checker }: Checker): ts.Type | undefined {
  const member = typeOfMember(type, 'structuredContent', checker);
  if (member === undefined) return undefined;
  const plain = checker.getNonNullableType(member);
  const anything = ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  const isTold =
    checker.getPropertiesOfType(plain).length > 0 ||
    checker.getIndexInfosOfType(plain).some((indexInfo) => (indexInfo.type.flags & anything) === 0);
  return isTold ? plain : undefined;
}

export function isBytes(type: ts.Type, { checker, program }: Program): boolean {
  return unionMembers(checker.getNonNullableType(type)).every((alternative) =>
    isBytesType(alternative, program),
  );
}

export function isText(type: ts.Type, { checker }: Checker): boolean {
  return unionMembers(checker.getNonNullableType(type)).every(
    ({ flags }) => (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.StringMapping)) !== 0,
  );
}

/** `{ uri, text }` or `{ uri, blob }` (MCP `ResourceContents`), or a list of them. */
export function isResourceContents(type: ts.Type, { checker }: Checker): boolean {
  return unionMembers(checker.getNonNullableType(type)).every((alternative) => {
    const item = checker.isArrayType(alternative)
      ? checker.getTypeArguments(alternative as ts.TypeReference)[0]
      : alternative;
    const isContents = (one: ts.Type): boolean =>
      hasProperty(one, 'uri', checker) &&
      (hasProperty(one, 'text', checker) || hasProperty(one, 'blob', checker));
    return item !== undefined && unionMembers(item).every(isContents);
  });
}

function isResult(type: ts.Type, checker: ts.TypeChecker): boolean {
  const content = typeOfMember(type, 'content', checker);
  if (content === undefined || !isContentBlockList(content, checker, true)) return false;
  const resultMembers = new Set(['content', 'structuredContent', 'isError', '_meta']);
  return checker.getPropertiesOfType(type).every(({ name }) => resultMembers.has(name));
}

function isContentBlockList(type: ts.Type, checker: ts.TypeChecker, isWide: boolean): boolean {
  if (!checker.isArrayType(type) && !checker.isTupleType(type)) return false;
  const items = checker.getTypeArguments(type as ts.TypeReference);
  return (
    items.length > 0 &&
    items.every((item) => unionMembers(item).every((alternative) => isOneBlock(alternative, checker, isWide)))
  );
}

/** `isWide`: a literal in a result may have been widened to string. */
function isOneBlock(type: ts.Type, checker: ts.TypeChecker, isWide: boolean): boolean {
  const tag = typeOfMember(type, 'type', checker);
  if (tag === undefined) return false;
  const isBlockOf = (kind: string): boolean =>
    Object.hasOwn(BLOCKS, kind) && BLOCKS[kind]?.every((name) => hasProperty(type, name, checker)) === true;
  if (isWide && (tag.flags & ts.TypeFlags.String) !== 0) return Object.keys(BLOCKS).some(isBlockOf);
  return unionMembers(tag).every((kind) => kind.isStringLiteral() && isBlockOf(kind.value));
}

function hasProperty(type: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  return checker.getPropertyOfType(type, name) !== undefined;
}

function typeOfMember(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const member = checker.getPropertyOfType(type, name);
  return member && checker.getTypeOfSymbol(member);
}

export function isArgumentsObject(type: ts.Type, { checker, program }: SourceProgram): boolean {
  const standard = closeIfParameter(type, checker);
  const closed = checker.getBaseConstraintOfType(standard) ?? standard;
  // `unknown` without null is `{}`.
  const plain = checker.getNonNullableType(closed);
  if (plain.isIntersection())
    return plain.types.every((type) => isObject(type) && !isArrayOrTuple(type, checker));
  if ((plain.flags & ts.TypeFlags.Object) === 0) return false;
  if (checker.isArrayType(plain) || checker.isTupleType(plain)) return false;
  if (isEmptyObjectType(plain, checker)) return false;
  if (plain.getCallSignatures().length + plain.getConstructSignatures().length > 0) return false;
  // Types that the language or Node declares are values. `Record` and similar aliases have no declaration of their
  // own, so they pass.
  return libraryName(plain, program) === undefined && !isClass(plain);
}

function isObject({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.Object) !== 0;
}

function isClass(type: ts.Type): boolean {
  return ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
}

export function isContext(type: ts.Type, source: SourceProgram): boolean {
  const contextType = withoutNullish(type);
  // Most types are asked, and most are primitives.
  const isObjectLike = contextType !== undefined && (contextType.flags & OBJECT_LIKE) !== 0;
  return isObjectLike && isContextIn(contextType, source);
}

const OBJECT_LIKE = ts.TypeFlags.Object | ts.TypeFlags.Intersection;

function withoutNullish(type: ts.Type): ts.Type | undefined {
  if (!type.isUnion()) return type;
  const absent = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;
  const [only, ...moreTypes] = type.types.filter(({ flags }) => (flags & absent) === 0);
  return moreTypes.length === 0 ? only : undefined;
}

function isContextIn(type: ts.Type, source: SourceProgram): boolean {
  if (isRuntimeType(type, 'Context', source) || isPickOfContext(type, source)) return true;
  const bases = type.isClassOrInterface() ? source.checker.getBaseTypes(type) : [];
  return (type.isIntersection() ? type.types : bases).some((part) => isContextIn(part, source));
}

/** `Pick<Context, 'api'>`: all members of the mapped type are those of the context, or of `Questions`, of which it inherits. */
function isPickOfContext(type: ts.Type, source: SourceProgram): boolean {
  if (((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) === 0) return false;
  const members = source.checker.getPropertiesOfType(type);
  const isOfContext = ({ declarations }: ts.Symbol): boolean => {
    const holder = declarations?.[0]?.parent;
    if (holder === undefined || !ts.isInterfaceDeclaration(holder)) return false;
    const whole = source.checker.getTypeAtLocation(holder);
    return ['Context', 'Questions'].some((name) => isRuntimeType(whole, name, source));
  };
  return members.length > 0 && members.every(isOfContext);
}

function isRuntimeType(type: ts.Type, name: string, { runtimeTypes }: SourceProgram): boolean {
  const symbol = withoutNullish(type)?.getSymbol();
  if (symbol?.name !== name) return false;
  return (symbol.declarations ?? []).some((declaration) =>
    declaration.getSourceFile().fileName.startsWith(`${runtimeTypes}/`),
  );
}
