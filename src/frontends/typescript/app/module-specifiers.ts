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
const DEEP = /\bimport\b(?!\s*(?:[\w$*{'"]|\.))|\b(?:createRequire|require)\b/;

/** `import('x')`, `require('x')`, `createRequire(import.meta.url)('x')` */
function isModuleLoad({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require') ||
    isCreateRequire(expression)
  );
}

/** Whether calling this expression loads or resolves a module relative to its file at run time. */
export function isRequireFunction(called: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isImportMeta(called, 'resolve')) return true;
  if (ts.isPropertyAccessExpression(called))
    return called.name.text === 'resolve' && isRequireFunction(called.expression, checker);
  if (isCreateRequire(called)) return true;
  if (!ts.isIdentifier(called)) return false;
  const declaration = checker.getSymbolAtLocation(called)?.valueDeclaration;
  if (declaration === undefined || declaration.getSourceFile().isDeclarationFile)
    return called.text === 'require';
  return (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    isCreateRequire(declaration.initializer)
  );
}

/** `createRequire(import.meta.url)` */
function isCreateRequire(node: ts.Expression): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression, arguments: callArguments } = node;
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const [from] = callArguments;
  return (
    ts.isIdentifier(called) &&
    called.text === 'createRequire' &&
    from !== undefined &&
    (isImportMeta(from, 'url') || isImportMeta(from, 'filename'))
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

const MENTIONED = new RegExp([...GIVEN].join('|'));

export function usesCommonJs(file: ts.SourceFile): boolean {
  const isCommonJsSyntax = (node: ts.Node): boolean =>
    (ts.isExportAssignment(node) && node.isExportEquals === true) || ts.isExternalModuleReference(node);
  return usesCommonJsName(file) || hasMatchingDescendant(file, isCommonJsSyntax);
}

function usesCommonJsName(file: ts.SourceFile): boolean {
  if (!MENTIONED.test(file.text)) return false;
  const usedNames = new Set<string>();
  const declaredNames = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && GIVEN.has(node.text) && !ts.isTypeOfExpression(node.parent)) {
      if (isDeclaredInFile(node)) declaredNames.add(node.text);
      else if (isUsedAsValue(node)) usedNames.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...usedNames].some((name) => !declaredNames.has(name));
}

/** Whether the file declares the name; ambient declarations do not count. */
function isDeclaredInFile(node: ts.Identifier): boolean {
  const { parent } = node;
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent);
  if (!isNamed || parent.name !== node) return false;
  return (ts.getCombinedModifierFlags(parent) & ts.ModifierFlags.Ambient) === 0;
}

/** Whether the name is used as a value; members and types do not count. */
function isUsedAsValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isBindingElement(parent))
    return 'initializer' in parent && parent.initializer === node;
  const isName = 'name' in parent && parent.name === node;
  return !isName && !ts.isPartOfTypeNode(node);
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

export function isImportMeta(
  node: ts.Expression,
  member: 'url' | 'dirname' | 'filename' | 'resolve',
): boolean {
  return (
    ts.isPropertyAccessExpression(node) && node.name.text === member && ts.isMetaProperty(node.expression)
  );
}
