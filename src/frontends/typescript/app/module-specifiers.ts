import { ts } from 'ts-morph';
import { isCreateRequire } from './requires.ts';

export interface ModuleSpecifier {
  literal: ts.StringLiteralLike;
  /** The import, export, call or type that contains the specifier. */
  owner: ts.Node;
  /** Only types are imported. */
  isType: boolean;
}

export function moduleSpecifiers(file: ts.SourceFile): readonly ModuleSpecifier[] {
  const found = known.get(file) ?? find(file);
  known.set(file, found);
  return found;
}

const known = new WeakMap<ts.SourceFile, readonly ModuleSpecifier[]>();

function find(file: ts.SourceFile): ModuleSpecifier[] {
  // Keyed by position, since nodes may share a comment.
  const found = new Map<number, ModuleSpecifier>();
  const add = (literal: ts.Node | undefined, owner: ts.Node, isType: boolean): void => {
    if (literal !== undefined && ts.isStringLiteralLike(literal))
      found.set(literal.pos, { literal, owner, isType });
  };
  const isJavaScript = /\.[mc]?jsx?$/.test(file.fileName);
  const visit = (node: ts.Node): void => {
    // JSDoc nodes are not children of the nodes they document.
    if (isJavaScript) for (const each of listDocs(node)) visit(each);
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
      if (ts.isCallExpression(node) && isLoad(node)) add(node.arguments[0], node, false);
      ts.forEachChild(node, visit);
    }
  };
  visit(file);
  return [...found.values()];
}

/** TypeScript's API returns the last comment only, and a `@typedef` often stands before it. */
function listDocs(node: ts.Node): readonly ts.JSDoc[] {
  return 'jsDoc' in node && areDocs(node.jsDoc) ? node.jsDoc : [];
}

function areDocs(value: unknown): value is readonly ts.JSDoc[] {
  return Array.isArray(value);
}

/** `import('x')`, `require('x')`, `createRequire(import.meta.url)('x')` */
function isLoad({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require') ||
    isCreateRequire(expression)
  );
}
