/**
 * The checker forgets the alias of a primitive or a list (`type Port = number`), so the docs of such an alias are found by the
 * written type. A type has them if it names the alias directly or as the argument of a utility type; other places are reported.
 */
import { ts } from 'ts-morph';

import { type Docs, findDocs, findSymbolDocs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import { isConstraint } from '../tags/tag-registry.ts';
import type { ReportAt } from './form.ts';
import { type Libraries, isInLibrary, isOfStandardLibrary } from './library-types.ts';
import { findDeclaringSymbol } from './type-name.ts';

type Reference = ts.TypeReferenceNode | ts.ExpressionWithTypeArguments | ts.ImportTypeNode;

function isReference(node: ts.Node): node is Reference {
  return ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isImportTypeNode(node);
}

function findReferencedSymbol(node: Reference, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node)
      ? node.qualifier
      : node.expression;
  const symbol = name && checker.getSymbolAtLocation(name);
  return symbol && resolveAlias(symbol, checker);
}

/** Utility types whose result may be their first argument. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'Partial Required Readonly Pick Omit NonNullable Exclude Extract Awaited NoInfer'.split(' '),
);

/** Lists the docs of the aliases that name the type, the outermost first, and notes the names in `applied`. */
export function listAliasDocs(
  type: ts.Type,
  writtenType: ts.TypeNode | undefined,
  program: ts.Program,
  applied: Set<ts.Node>,
): Docs[] {
  const checker = program.getTypeChecker();
  const declaringSymbol = findDeclaringSymbol(type);
  const docs: Docs[] = [];
  let node = writtenType;
  while (node !== undefined) {
    const symbol = isReference(node) ? findReferencedSymbol(node, checker) : undefined;
    const isOther = symbol !== undefined && checker.getTypeFromTypeNode(node) !== type;
    if (isOther || (symbol !== undefined && symbol === declaringSymbol)) break;
    const alias = symbol && findPlainAlias(symbol);
    if (symbol !== undefined && alias !== undefined) {
      applied.add(node);
      docs.push(findSymbolDocs(symbol));
    }
    node = alias?.type ?? findNamedType(node, symbol, type, program);
  }
  return docs.filter(({ description, tags }) => description !== undefined || tags.length > 0);
}

/** `(Port)`, `Port | null`, `NonNullable<Port>` */
function findNamedType(
  node: ts.TypeNode,
  symbol: ts.Symbol | undefined,
  type: ts.Type,
  program: ts.Program,
): ts.TypeNode | undefined {
  if (ts.isParenthesizedTypeNode(node)) return node.type;
  if (ts.isUnionTypeNode(node)) {
    const checker = program.getTypeChecker();
    const [only, ...moreNodes] = node.types.filter((each) => checker.getTypeFromTypeNode(each) === type);
    return moreNodes.length === 0 ? only : undefined;
  }
  const isTransparent =
    symbol !== undefined && TRANSPARENT.has(symbol.name) && isOfStandardLibrary(symbol, program);
  return isTransparent && isReference(node) ? node.typeArguments?.[0] : undefined;
}

function findPlainAlias({ declarations }: ts.Symbol): ts.TypeAliasDeclaration | undefined {
  return declarations?.find(
    (declaration) =>
      ts.isTypeAliasDeclaration(declaration) && (declaration.typeParameters ?? []).length === 0,
  ) as ts.TypeAliasDeclaration | undefined;
}

/** Returns the type behind parentheses, `readonly` and aliases: `Port[]` for `Ports`. */
export function findWrittenType(
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node))
    return findWrittenType(node.type, checker);
  const symbol = isReference(node) ? findReferencedSymbol(node, checker) : undefined;
  const alias = symbol && findPlainAlias(symbol);
  return alias === undefined ? node : findWrittenType(alias.type, checker);
}

/** Most aliases that are followed one after the other. */
const DEEPEST = 50;

/**
 * Reports constraints of aliases that no schema has (`Page<Port>`, keys of a map), and types of schemas that no `@schema` names
 * (`z.infer<typeof Note>`). Named members are not searched, since each that is read is itself in `written`.
 */
export function checkWrittenTypes(
  writtenNodes: Iterable<ts.Node>,
  applied: ReadonlySet<ts.Node>,
  libraries: Libraries,
  tell: ReportAt,
): void {
  const checker = libraries.program.getTypeChecker();
  const reported = new Set<ts.Node>();
  const visitNode = (node: ts.Node, open: readonly ts.Node[], at?: ts.Node): void => {
    const isMember = ts.isTypeElement(node) || ts.isClassElement(node);
    if (isMember && !ts.isIndexSignatureDeclaration(node)) return;
    if (ts.isFunctionTypeNode(node) || ts.isBlock(node)) return;
    if (ts.isTypeQueryNode(node)) {
      const schema = findSchemaName(node.exprName, checker);
      if (schema !== undefined) tell('schema-not-named', { name: schema }, at ?? node);
    }
    for (const declaration of listTakenDeclarations(node, checker)) {
      if (findDocs(declaration).tags.some(({ name }) => isConstraint(name)) === true && !reported.has(node)) {
        tell('constraint-lost', { name: node.getText() }, at ?? node);
        reported.add(node);
      } else if (declaration.type !== undefined) visitNode(declaration.type, open, at ?? node);
    }
    const symbol = isReference(node) ? findReferencedSymbol(node, checker) : undefined;
    if (symbol !== undefined && !applied.has(node) && hasForgottenConstraints(symbol, checker)) {
      if (!reported.has(node)) tell('constraint-lost', { name: symbol.name }, at ?? node);
      reported.add(node);
      return;
    }
    const types = (symbol?.declarations ?? []).filter(
      (declaration) => ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration),
    );
    for (const type of types)
      if (open.length < DEEPEST && !open.includes(type) && !isInLibrary(type, libraries))
        visitNode(type, [...open, type], at ?? node);
    ts.forEachChild(node, (child) => {
      visitNode(child, open, at);
    });
  };
  for (const node of writtenNodes) visitNode(node, [node]);
}

type TakenDeclaration = ts.PropertySignature | ts.PropertyDeclaration | ts.FunctionLikeDeclaration;

/** The property that `Server['port']` takes, and the function that `ReturnType<typeof open>` does. */
function listTakenDeclarations(node: ts.Node, checker: ts.TypeChecker): TakenDeclaration[] {
  if (ts.isTypeQueryNode(node)) {
    const declarations = checker.getSymbolAtLocation(node.exprName)?.declarations ?? [];
    return declarations
      .map((declaration) => (ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration))
      .filter((each): each is ts.FunctionLikeDeclaration => each !== undefined && ts.isFunctionLike(each));
  }
  if (!ts.isIndexedAccessTypeNode(node)) return [];
  const index = checker.getTypeFromTypeNode(node.indexType);
  const property = index.isStringLiteral()
    ? checker.getPropertyOfType(checker.getTypeFromTypeNode(node.objectType), index.value)
    : undefined;
  return (property?.declarations ?? []).filter(
    (declaration): declaration is ts.PropertySignature | ts.PropertyDeclaration =>
      ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration),
  );
}

function findSchemaName(name: ts.EntityName, checker: ts.TypeChecker): string | undefined {
  if (checker.getTypeAtLocation(name).getProperty('~standard') !== undefined) return name.getText();
  return ts.isQualifiedName(name) ? findSchemaName(name.left, checker) : undefined;
}

/** Whether it is an alias with constraints whose name the checker does not keep. */
function hasForgottenConstraints(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  if ((symbol.flags & ts.SymbolFlags.TypeAlias) === 0) return false;
  if (!findSymbolDocs(symbol).tags.some(({ name }) => isConstraint(name))) return false;
  return findDeclaringSymbol(checker.getDeclaredTypeOfSymbol(symbol)) !== symbol;
}
