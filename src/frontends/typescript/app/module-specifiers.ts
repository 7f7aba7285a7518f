import { ts } from 'ts-morph';

import { isJavaScript } from '../program/compiler-host.ts';
import { jsDocOf } from '../program/compiler-internals.ts';
import type { SourceProgram } from '../program/source-program.ts';

export interface ModuleSpecifier {
  literal: ts.StringLiteralLike;
  owner: ts.Node;
  isType: boolean;
}

export function moduleSpecifiers(file: ts.SourceFile): readonly ModuleSpecifier[] {
  const found = known.get(file) ?? findSpecifiers(file);
  known.set(file, found);
  return found;
}

const known = new WeakMap<ts.SourceFile, readonly ModuleSpecifier[]>();

function findSpecifiers(file: ts.SourceFile): ModuleSpecifier[] {
  // Keyed by position, since nodes may share a comment.
  const found = new Map<number, ModuleSpecifier>();
  const add = (literal: ts.Node | undefined, owner: ts.Node, isType: boolean): void => {
    if (literal !== undefined && ts.isStringLiteralLike(literal))
      found.set(literal.pos, { literal, owner, isType });
  };
  const hasDocs = isJavaScript(file);
  const isDeep = hasDocs || DEEP.test(file.text);
  const visit = (node: ts.Node): void => {
    // JSDoc nodes are not children of the nodes they document.
    if (hasDocs) for (const each of jsDocOf(node)) visit(each);
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node, node.isTypeOnly);
    else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      add(node.moduleReference.expression, node, node.isTypeOnly);
    else if (ts.isJSDocImportTag(node)) add(node.moduleSpecifier, node, true);
    else if (ts.isImportTypeNode(node)) {
      if (ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, node, true);
      ts.forEachChild(node, visit);
    } else {
      if (!isDeep && ts.isStatement(node) && !ts.isModuleDeclaration(node) && !ts.isModuleBlock(node)) return;
      if (ts.isCallExpression(node) && isModuleLoad(node)) add(node.arguments[0], node, false);
      const url = ts.isNewExpression(node) ? findWorkerUrl(node) : undefined;
      if (url !== undefined) add(url.arguments?.[0], url, false);
      ts.forEachChild(node, visit);
    }
  };
  visit(file);
  return [...found.values()];
}

/** Where such a word is absent, only statements have specifiers. `import` begins a type or a call unless a declaration follows. */
const DEEP = /\bimport\b(?!\s*(?:[\w$*{'"]|\.))|\b(?:createRequire|require|Worker)\b/;

/** `import('x')`, `require('x')`, `createRequire(import.meta.url)('x')` */
function isModuleLoad({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require') ||
    isCreateRequire(expression)
  );
}

/** The URL in `new Worker(new URL('./worker.ts', import.meta.url))`, whose module runs in a thread of its own. */
export function findWorkerUrl(node: ts.NewExpression): ts.NewExpression | undefined {
  const { expression, arguments: [url] = [] } = node;
  const made = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  if (!ts.isIdentifier(made) || made.text !== 'Worker') return undefined;
  if (url === undefined || !ts.isNewExpression(url) || !ts.isIdentifier(url.expression)) return undefined;
  const base = url.arguments?.[1];
  return url.expression.text === 'URL' && base !== undefined && isImportMeta(base, 'url') ? url : undefined;
}

/** Workers, and code that `require()` loads in a TypeScript file: TypeScript does not follow these. */
export function listUnfollowed(files: readonly ts.SourceFile[], options: ts.CompilerOptions): string[] {
  return files
    .filter(({ text }) => /\bnew (?:\w+\.)?Worker\(|\brequire\(/.test(text))
    .flatMap((file) => moduleSpecifiers(file).map((each) => ({ ...each, file })))
    .filter(({ owner, literal }) => isUnfollowed(owner) && literal.text.startsWith('.'))
    .flatMap(({ literal, file, owner }) => {
      const mode = ts.isNewExpression(owner) ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS;
      const { resolvedModule } = ts.resolveModuleName(
        literal.text,
        file.fileName,
        options,
        ts.sys,
        undefined,
        undefined,
        mode,
      );
      const found = resolvedModule?.resolvedFileName ?? '';
      const isRead = /\.[mc]?tsx?$/.test(found) || (options.allowJs === true && /\.[mc]?jsx?$/.test(found));
      return isRead && !found.includes('/node_modules/') ? [found] : [];
    });
}

function isUnfollowed(owner: ts.Node): boolean {
  if (ts.isNewExpression(owner)) return true;
  return ts.isCallExpression(owner) && owner.expression.kind !== ts.SyntaxKind.ImportKeyword;
}

/** Such a call loads or resolves a module relative to the file at run time. */
export function isRequire(called: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isImportMeta(called, 'resolve')) return true;
  if (ts.isPropertyAccessExpression(called))
    return called.name.text === 'resolve' && isRequire(called.expression, checker);
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
  const { expression, arguments: given } = node;
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const [from] = given;
  return (
    ts.isIdentifier(called) &&
    called.text === 'createRequire' &&
    from !== undefined &&
    (isImportMeta(from, 'url') || isImportMeta(from, 'filename'))
  );
}

/** `import.meta.dirname`, `__dirname`, `dirname(fileURLToPath(import.meta.url))`, or a constant with one of these. */
export function isOwnFolder(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isImportMeta(node, 'dirname')) return true;
  if (ts.isCallExpression(node)) return isCallTo('dirname', node, isOwnFile);
  if (!ts.isIdentifier(node)) return false;
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return node.text === '__dirname';
  const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  const { initializer } = declaration;
  // A constant that is initialised with another name is unknown.
  if (!isConstant || initializer === undefined || ts.isIdentifier(initializer))
    return node.text === '__dirname' && declaration.getSourceFile().isDeclarationFile;
  return isOwnFolder(initializer, checker);
}

export function isImportMeta(
  node: ts.Expression,
  member: 'url' | 'dirname' | 'filename' | 'resolve',
): boolean {
  return (
    ts.isPropertyAccessExpression(node) && node.name.text === member && ts.isMetaProperty(node.expression)
  );
}

function isOwnFile(node: ts.Expression): boolean {
  if (isImportMeta(node, 'filename')) return true;
  return ts.isCallExpression(node) && isCallTo('fileURLToPath', node, (url) => isImportMeta(url, 'url'));
}

function isCallTo(
  name: string,
  { expression, arguments: [first] }: ts.CallExpression,
  isArgument: (node: ts.Expression) => boolean,
): boolean {
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(called) && called.text === name && first !== undefined && isArgument(first);
}

interface FoundModule {
  fileName: string | undefined;
  own: ts.SourceFile | undefined;
}

export class OwnModules {
  readonly #options: ts.CompilerOptions;
  readonly #program: ts.Program;
  readonly #own: ReadonlyMap<string, ts.SourceFile>;
  readonly #cache: ts.ModuleResolutionCache;

  constructor({ program, userFiles }: SourceProgram) {
    this.#program = program;
    this.#options = program.getCompilerOptions();
    this.#own = new Map(userFiles.map((file) => [file.fileName, file]));
    this.#cache = ts.createModuleResolutionCache('/', (name) => name, this.#options);
  }

  find(literal: ts.StringLiteralLike): FoundModule {
    const file = literal.getSourceFile();
    const mode = this.#program.getModeForUsageLocation(file, literal);
    const { resolvedModule } = ts.resolveModuleName(
      literal.text,
      file.fileName,
      this.#options,
      ts.sys,
      this.#cache,
      undefined,
      mode,
    );
    const fileName = resolvedModule?.resolvedFileName;
    return { fileName, own: fileName === undefined ? undefined : this.#own.get(fileName) };
  }

  findReferencedFile(file: ts.SourceFile, { fileName }: ts.FileReference): ts.SourceFile | undefined {
    return this.#own.get(ts.resolveTripleslashReference(fileName, file.fileName));
  }
}
