import { ts } from 'ts-morph';

import { hasMatchingDescendant } from '../program/checker-queries.ts';
import { jsDocOf } from '../program/compiler-internals.ts';
import type { SourceProgram } from '../program/source-program.ts';

interface ModuleSpecifier {
  literal: ts.StringLiteralLike;
  owner: ts.Node;
  isType: boolean;
}

export function moduleSpecifiers(file: ts.SourceFile): ModuleSpecifier[] {
  // Keyed by position, since nodes may share a comment.
  const specifiers = new Map<number, ModuleSpecifier>();
  const addSpecifier = (literal: ts.Node | undefined, owner: ts.Node, isType: boolean): void => {
    if (literal !== undefined && ts.isStringLiteralLike(literal))
      specifiers.set(literal.pos, { literal, owner, isType });
  };
  const hasDocs = /\.[cm]?jsx?$/.test(file.fileName);
  const isDeep = hasDocs || DEEP.test(file.text);
  const visitNode = (node: ts.Node): void => {
    // JSDoc nodes are not children of the nodes they document.
    if (hasDocs) for (const doc of jsDocOf(node)) visitNode(doc);
    if (ts.isImportDeclaration(node))
      addSpecifier(
        node.moduleSpecifier,
        node,
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
      );
    else if (ts.isExportDeclaration(node)) addSpecifier(node.moduleSpecifier, node, node.isTypeOnly);
    else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      addSpecifier(node.moduleReference.expression, node, node.isTypeOnly);
    else if (ts.isJSDocImportTag(node)) addSpecifier(node.moduleSpecifier, node, true);
    else if (ts.isImportTypeNode(node)) {
      if (ts.isLiteralTypeNode(node.argument)) addSpecifier(node.argument.literal, node, true);
      ts.forEachChild(node, visitNode);
    } else {
      if (!isDeep && ts.isStatement(node) && !ts.isModuleDeclaration(node) && !ts.isModuleBlock(node)) return;
      if (ts.isCallExpression(node) && isModuleLoad(node)) addSpecifier(node.arguments[0], node, false);
      ts.forEachChild(node, visitNode);
    }
  };
  visitNode(file);
  return [...specifiers.values()];
}

/** Where such a word is absent, only statements have specifiers. `import` begins a type or a call unless a declaration follows. */
const DEEP = /\bimport\b(?!\s*(?:[\w$*{'"]|\.))|\brequire\b/;

/** `import('x')`, `require('x')` */
function isModuleLoad({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  );
}

interface FoundModule {
  fileName: string | undefined;
  ownFile: ts.SourceFile | undefined;
}

export class OwnModules {
  readonly #options: ts.CompilerOptions;
  readonly #program: ts.Program;
  readonly #ownFiles: ReadonlyMap<string, ts.SourceFile>;
  readonly #cache: ts.ModuleResolutionCache;

  constructor({ program, userFiles }: SourceProgram) {
    this.#program = program;
    this.#options = program.getCompilerOptions();
    this.#ownFiles = new Map(userFiles.map((file) => [file.fileName, file]));
    this.#cache = ts.createModuleResolutionCache('/', (name) => name, this.#options);
  }

  resolveModule(literal: ts.StringLiteralLike): FoundModule {
    const file = literal.getSourceFile();
    const { resolvedModule } = ts.resolveModuleName(
      literal.text,
      file.fileName,
      this.#options,
      ts.sys,
      this.#cache,
      undefined,
      this.#program.getModeForUsageLocation(file, literal),
    );
    const fileName = resolvedModule?.resolvedFileName;
    return { fileName, ownFile: fileName === undefined ? undefined : this.#ownFiles.get(fileName) };
  }

  findReferencedFile(file: ts.SourceFile, { fileName }: ts.FileReference): ts.SourceFile | undefined {
    return this.#ownFiles.get(ts.resolveTripleslashReference(fileName, file.fileName));
  }
}

const GIVEN: ReadonlySet<string> = new Set(['require', 'module', 'exports', '__dirname', '__filename']);

export function usesCommonJs(file: ts.SourceFile, checker: ts.TypeChecker): boolean {
  const isOwn = (node: ts.Declaration): boolean =>
    node.getSourceFile() === file &&
    !ts.isSourceFile(node) &&
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient) === 0;
  // What the file declares under such a name, a member of an object included, and what is only asked for its type is none.
  const isGivenName = (node: ts.Node): boolean =>
    ts.isIdentifier(node) &&
    GIVEN.has(node.text) &&
    !ts.isTypeOfExpression(node.parent) &&
    !ts.isPartOfTypeNode(node) &&
    !ts.isTypeQueryNode(node.parent) &&
    !ts.isDeclarationStatement(node.parent) &&
    !ts.isVariableDeclaration(node.parent) &&
    checker.getSymbolAtLocation(node)?.declarations?.some(isOwn) !== true;
  const isCommonJsSyntax = (node: ts.Node): boolean =>
    (ts.isExportAssignment(node) && node.isExportEquals === true) || ts.isExternalModuleReference(node);
  return hasMatchingDescendant(file, (node) => isGivenName(node) || isCommonJsSyntax(node));
}

export function hasTopLevelAwait(file: ts.SourceFile): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node) || ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node))
      return false;
    if (ts.isAwaitExpression(node)) return true;
    if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) return true;
    return ts.forEachChild(node, (child) => visit(child) || undefined) === true;
  };
  return visit(file);
}
