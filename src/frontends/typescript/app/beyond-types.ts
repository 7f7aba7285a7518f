/**
 * What of a TypeScript file is more than types and JavaScript that Node runs. It is decided here alone: for the way in which the
 * file is built, and for what the user is told.
 */
import { ts } from 'ts-morph';

const { SyntaxKind } = ts;

export interface BeyondTypes {
  node: ts.Node;
  /** `The enum State` */
  what: string;
  /** Whether TypeScript's `erasableSyntaxOnly` forbids it: Node can't leave the types out by itself. */
  isSyntax: boolean;
}

/** What a node itself is, whatever is in it. */
export function beyondTypes(node: ts.Node): BeyondTypes | undefined {
  const what = syntaxOf(node);
  if (what !== undefined) return { node, what, isSyntax: true };
  const other = otherwise(node);
  return other === undefined ? undefined : { node, what: other, isSyntax: false };
}

/** The first thing in a file that `erasableSyntaxOnly` forbids. A file is gone through once, by whichever program it is in. */
export function notErasable(file: ts.SourceFile): BeyondTypes | undefined {
  if (!known.has(file)) known.set(file, findNotErasable(file));
  return known.get(file);
}

const known = new WeakMap<ts.SourceFile, BeyondTypes | undefined>();

function findNotErasable(file: ts.SourceFile): BeyondTypes | undefined {
  const visit = (node: ts.Node): BeyondTypes | undefined => {
    if (isDeclared(node)) return undefined;
    const found = beyondTypes(node);
    return found?.isSyntax === true ? found : ts.forEachChild(node, visit);
  };
  return file.isDeclarationFile ? undefined : visit(file);
}

/** `declare …`: nothing of it runs. */
export function isDeclared(node: ts.Node): boolean {
  return hasModifier(node, SyntaxKind.DeclareKeyword);
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}

/** `import('x')` */
export function isImportCall(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
}

function syntaxOf(node: ts.Node): string | undefined {
  if (ts.isEnumDeclaration(node)) return `The enum ${node.name.text}`;
  if (ts.isModuleDeclaration(node)) return `The namespace ${node.name.text}`;
  if (ts.isParameter(node) && ts.getModifiers(node) !== undefined) return 'A parameter property';
  if (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly) return 'An `import =`';
  if (ts.isExportAssignment(node) && node.isExportEquals === true) return 'An `export =`';
  if (ts.isTypeAssertionExpression(node)) return 'A type in front of a value';
  return undefined;
}

/** What runs otherwise than it is written, or is a type that stands where none is looked for. */
function otherwise(node: ts.Node): string | undefined {
  if (ts.isDecorator(node)) return 'A decorator';
  if (node.kind === SyntaxKind.AccessorKeyword) return 'An accessor';
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) > ts.NodeFlags.Const)
    return 'A `using`';
  if (ts.isExpressionWithTypeArguments(node))
    return ts.isHeritageClause(node.parent) ? undefined : 'An instantiation';
  if (ts.isTypeNode(node)) return 'A type';
  // What is not written out is found when it runs.
  const [specifier] = isImportCall(node) ? node.arguments : [];
  if (specifier !== undefined && !ts.isStringLiteralLike(specifier)) return 'An import of what is computed';
  return undefined;
}
