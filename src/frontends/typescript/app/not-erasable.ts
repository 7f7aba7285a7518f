import { ts } from 'ts-morph';

/** The first thing in a file that is more than types and plain JavaScript (TypeScript's `erasableSyntaxOnly`). */
export function notErasable(file: ts.SourceFile): { node: ts.Node; what: string } | undefined {
  let found: { node: ts.Node; what: string } | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined || isAmbient(node)) return;
    const what = kindOf(node);
    if (what === undefined) ts.forEachChild(node, visit);
    else found = { node, what };
  };
  if (!file.isDeclarationFile) visit(file);
  return found;
}

function kindOf(node: ts.Node): string | undefined {
  if (ts.isEnumDeclaration(node)) return `The enum ${node.name.text}`;
  if (ts.isModuleDeclaration(node)) return `The namespace ${node.name.text}`;
  if (ts.isParameter(node) && ts.getModifiers(node) !== undefined) return 'A parameter property';
  if (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly) return 'An `import =`';
  if (ts.isExportAssignment(node) && node.isExportEquals === true) return 'An `export =`';
  if (ts.isTypeAssertionExpression(node)) return 'A type in front of a value';
  return undefined;
}

function isAmbient(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true
  );
}
