import { ts } from 'ts-morph';

import { isJavaScript } from '../program/compiler-host.ts';
import { jsDocOf } from '../program/compiler-internals.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isImportMeta } from './own-folder.ts';

export interface ModuleSpecifier {
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
  const hasDocs = isJavaScript(file);
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

/** Lists code that `require()` loads in a TypeScript file, which TypeScript does not follow. */
export function listRequiredFiles(files: readonly ts.SourceFile[], options: ts.CompilerOptions): string[] {
  const resolveModule = (name: string, from: string): string[] => {
    const { resolvedModule } = ts.resolveModuleName(
      name,
      from,
      options,
      ts.sys,
      undefined,
      undefined,
      ts.ModuleKind.CommonJS,
    );
    const resolvedFile = resolvedModule?.resolvedFileName ?? '';
    const isRead =
      /\.[mc]?tsx?$/.test(resolvedFile) || (options.allowJs === true && /\.[mc]?jsx?$/.test(resolvedFile));
    return isRead && !resolvedFile.includes('/node_modules/') ? [resolvedFile] : [];
  };
  return files.flatMap((file) => {
    const required = /\brequire\(/.test(file.text)
      ? moduleSpecifiers(file).filter(
          ({ owner, literal }) => isRequired(owner) && literal.text.startsWith('.'),
        )
      : [];
    return required.flatMap(({ literal }) => resolveModule(literal.text, file.fileName));
  });
}

function isRequired(owner: ts.Node): boolean {
  return ts.isCallExpression(owner) && owner.expression.kind !== ts.SyntaxKind.ImportKeyword;
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
