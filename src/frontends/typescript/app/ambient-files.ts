/** Finds the ambient declaration files that the user's code needs. */
import { ts } from 'ts-morph';
import { resolveAlias, unionMembers } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { moduleSpecifiers } from './module-specifiers.ts';

export interface AmbientFiles {
  /** Files that are always needed, since their references cannot be found by name. */
  always: readonly ts.SourceFile[];
  neededBy: (file: ts.SourceFile) => Iterable<ts.SourceFile>;
}

export function collectAmbientFiles({ userFiles, checker }: SourceProgram): AmbientFiles {
  const ambient = userFiles.filter(isAmbient);
  const always = ambient.filter(referencesOtherTypes);
  const candidates = new Set(ambient.filter((file) => !referencesOtherTypes(file)));
  const names = new Set([...candidates].flatMap((file) => listNameNodes(file).map(({ text }) => text)));
  return {
    always,
    neededBy: (file) =>
      candidates.size === 0 ? [] : findDeclaringFiles(file, { candidates, names, checker }),
  };
}

function isAmbient(file: ts.SourceFile): boolean {
  if (/^\s*declare\s+(?:global\b|module\s+['"])/m.test(file.text)) return true;
  return file.isDeclarationFile && !ts.isExternalModule(file);
}

/** `/// <reference types="vite/client" />` */
function referencesOtherTypes({ typeReferenceDirectives, libReferenceDirectives }: ts.SourceFile): boolean {
  return typeReferenceDirectives.length + libReferenceDirectives.length > 0;
}

type Name = ts.Identifier | ts.StringLiteralLike;

interface Declared {
  candidates: ReadonlySet<ts.SourceFile>;
  names: ReadonlySet<string>;
  checker: ts.TypeChecker;
}

function findDeclaringFiles(
  file: ts.SourceFile,
  { candidates, names, checker }: Declared,
): Set<ts.SourceFile> {
  const specifiers = moduleSpecifiers(file).map(({ literal }) => literal);
  const nameNodes = [...specifiers, ...listNameNodes(file).filter(({ text }) => names.has(text))];
  const declaring = nameNodes
    .flatMap((name) => symbolsOfName(name, checker))
    .flatMap(({ declarations = [] }) => declarations)
    .map((declaration) => declaration.getSourceFile());
  return new Set(declaring.filter((file) => candidates.has(file)));
}

function listNameNodes(file: ts.SourceFile): Name[] {
  const nameNodes: Name[] = [];
  const visitNode = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) nameNodes.push(node);
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return nameNodes;
}

function symbolsOfName(name: Name, checker: ts.TypeChecker): ts.Symbol[] {
  const symbol = checker.getSymbolAtLocation(name);
  const aliased = symbol && resolveAlias(symbol, checker);
  return [symbol, aliased, ...findMembersOfExpectedType(name, checker)].filter(
    (candidate) => candidate !== undefined,
  );
}

/** `{ extra: 1 }` sets the member `extra` of the expected type. */
function findMembersOfExpectedType(name: Name, checker: ts.TypeChecker): (ts.Symbol | undefined)[] {
  const { parent } = name;
  if (!ts.isObjectLiteralElementLike(parent) || parent.name !== name) return [];
  if (!ts.isObjectLiteralExpression(parent.parent)) return [];
  const contextualType = checker.getContextualType(parent.parent);
  return contextualType === undefined
    ? []
    : unionMembers(contextualType).map((type) => type.getProperty(name.text));
}
