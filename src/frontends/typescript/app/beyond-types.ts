/** Finds syntax that type stripping cannot remove (`erasableSyntaxOnly`). */
import { ts } from 'ts-morph';

export interface BeyondTypes {
  node: ts.Node;
  /** `The enum State` */
  what: string;
}

/** Results are cached, since several programs share a file. */
export function notErasable(file: ts.SourceFile): BeyondTypes | undefined {
  if (!known.has(file)) known.set(file, searchNotErasable(file));
  return known.get(file);
}

const known = new WeakMap<ts.SourceFile, BeyondTypes | undefined>();

function searchNotErasable(file: ts.SourceFile): BeyondTypes | undefined {
  const visit = (node: ts.Node): BeyondTypes | undefined => {
    if (isDeclared(node)) return undefined;
    const what = describeSyntax(node);
    return what === undefined ? ts.forEachChild(node, visit) : { node, what };
  };
  return file.isDeclarationFile ? undefined : visit(file);
}

/** Ambient declarations never run. */
function isDeclared(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.DeclareKeyword);
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && node.modifiers?.some((modifier) => modifier.kind === kind) === true;
}

/** `import('x')` */
export function isImportCall(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

function describeSyntax(node: ts.Node): string | undefined {
  if (ts.isEnumDeclaration(node)) return `The enum ${node.name.text}`;
  if (ts.isModuleDeclaration(node)) return `The namespace ${node.name.text}`;
  if (ts.isParameter(node) && ts.getModifiers(node) !== undefined) return 'A parameter property';
  if (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly) return 'An `import =`';
  if (ts.isExportAssignment(node) && node.isExportEquals === true) return 'An `export =`';
  if (ts.isTypeAssertionExpression(node)) return 'A type in front of a value';
  return undefined;
}
