/**
 * Strips types from the user's code. The only module after the model that uses TypeScript, and it loads the compiler only when
 * called: a project with unchanged handlers does not need it.
 */
import type { ts as TypeScript } from 'ts-morph';

export interface Transpiled {
  code: string;
  map: string;
  faults: (SourcePlace & { message: string })[];
  /**
   * The static imports of values, with the specifiers of the source and of `code`. `names` are the imported names, undefined for a
   * default import, a namespace or a re-export.
   */
  imports: (SourcePlace & { specifier: string; built: string; names: string[] | undefined })[];
  /** The literal keys of `tools` in `export const handlers = {…}`; the object may have more. */
  tools: (SourcePlace & { name: string })[];
  /** The members that it reads of objects, and the keys of its object literals. */
  members: Set<string>;
  keys: Set<string>;
}

/** 1-based, in the source. */
interface SourcePlace {
  line: number;
  column: number;
}

/** Compiles one TypeScript module as `npm run build` does. */
export async function transpile(source: string, fileName: string): Promise<Transpiled> {
  const { ts } = await import('ts-morph');
  const {
    outputText,
    sourceMapText,
    diagnostics = [],
  } = ts.transpileModule(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      sourceMap: true,
      rewriteRelativeImportExtensions: true,
      allowImportingTsExtensions: true,
    },
  });
  const parsed = ts.createSourceFile(fileName, source, ts.ScriptTarget.ES2023, true);
  const output = ts.createSourceFile(fileName, outputText, ts.ScriptTarget.ES2023);
  const needed = mapImportedNames(output, ts);
  const toSourcePosition = (position: number) => toSourcePlace(parsed, position);
  return {
    code: outputText.replaceAll('\r\n', '\n').replace(/\/\/# sourceMappingURL=.*\n?$/, ''),
    map: sourceMapText ?? '{}',
    faults: diagnostics.map(({ start = 0, messageText }) => ({
      ...toSourcePosition(start),
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    })),
    imports: parsed.statements
      .flatMap((statement) => findSpecifier(statement, ts) ?? [])
      .map((literal) => ({
        specifier: literal.text,
        built: rewriteSpecifier(literal.text),
        names: needed.get(rewriteSpecifier(literal.text)),
        ...toSourcePosition(literal.getStart(parsed)),
      }))
      .filter(({ built }) => needed.has(built)),
    tools: findReplacedTools(parsed, ts).map((key) => ({
      name: key.text,
      ...toSourcePosition(key.getStart(parsed)),
    })),
    ...listMembersAndKeys(parsed, ts),
  };
}

/** The members that code reads, as `elicit` of `context.elicit` or of `({ elicit }) => …`, and the keys of its objects. */
function listMembersAndKeys(
  file: TypeScript.SourceFile,
  ts: typeof TypeScript,
): { members: Set<string>; keys: Set<string> } {
  const members = new Set<string>();
  const keys = new Set<string>();
  const visitNode = (node: TypeScript.Node): void => {
    const member = findMemberName(node, ts);
    if (member !== undefined) members.add(member);
    if (ts.isObjectLiteralElementLike(node) && node.name !== undefined && ts.isIdentifier(node.name))
      keys.add(node.name.text);
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return { members, keys };
}

/** `x` of `a.x`, `a['x']` and `const { x } = a`. */
function findMemberName(node: TypeScript.Node, ts: typeof TypeScript): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : undefined;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}

type Key = TypeScript.Identifier | TypeScript.StringLiteral | TypeScript.NumericLiteral;

/** Finds replaced tools; none if other code of the module may change `handlers`. */
function findReplacedTools(file: TypeScript.SourceFile, ts: typeof TypeScript): Key[] {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => ts.isIdentifier(name) && name.text === 'handlers');
  if (declared === undefined || countIdentifierUses('handlers', file, ts) > 1) return [];
  const tools = listLiteralMembers(declared.initializer, ts).findLast(
    (member) => ts.isSpreadAssignment(member) || findPropertyKey(member, ts)?.text === 'tools',
  );
  if (tools === undefined || !ts.isPropertyAssignment(tools)) return [];
  return listLiteralMembers(tools.initializer, ts).flatMap((member) => findPropertyKey(member, ts) ?? []);
}

/** The members of an object literal, inside of `satisfies`, `as` or parentheses, too. */
function listLiteralMembers(
  value: TypeScript.Expression | undefined,
  ts: typeof TypeScript,
): readonly TypeScript.ObjectLiteralElementLike[] {
  if (value === undefined) return [];
  if (ts.isSatisfiesExpression(value) || ts.isAsExpression(value) || ts.isParenthesizedExpression(value))
    return listLiteralMembers(value.expression, ts);
  return ts.isObjectLiteralExpression(value) ? value.properties : [];
}

function findPropertyKey(
  { name }: TypeScript.ObjectLiteralElementLike,
  ts: typeof TypeScript,
): Key | undefined {
  if (name === undefined) return undefined;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name : undefined;
}

function countIdentifierUses(word: string, file: TypeScript.SourceFile, ts: typeof TypeScript): number {
  let uses = 0;
  const visitNode = (node: TypeScript.Node): void => {
    if (ts.isIdentifier(node) && node.text === word) uses += 1;
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return uses;
}

function findSpecifier(
  statement: TypeScript.Statement,
  ts: typeof TypeScript,
): TypeScript.StringLiteral | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const { moduleSpecifier } = statement;
  return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier : undefined;
}

/** The names that are imported of each specifier; undefined for a default import, a namespace or a re-export. */
function mapImportedNames(
  file: TypeScript.SourceFile,
  ts: typeof TypeScript,
): Map<string, string[] | undefined> {
  const specifiers = new Map<string, string[] | undefined>();
  for (const statement of file.statements) {
    const literal = findSpecifier(statement, ts);
    if (literal === undefined) continue;
    const names = ts.isImportDeclaration(statement) ? importedNamesOf(statement, ts) : undefined;
    const before = specifiers.has(literal.text) ? specifiers.get(literal.text) : [];
    specifiers.set(literal.text, before && names && [...before, ...names]);
  }
  return specifiers;
}

function importedNamesOf(
  { importClause }: TypeScript.ImportDeclaration,
  ts: typeof TypeScript,
): string[] | undefined {
  const { name, namedBindings } = importClause ?? {};
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings))
    return undefined;
  return namedBindings.elements.map((element) => (element.propertyName ?? element.name).text);
}

/** Rewrites the extension as `rewriteRelativeImportExtensions` does. */
function rewriteSpecifier(specifier: string): string {
  return /^\.{1,2}\//.test(specifier) ? specifier.replace(/(?<!\.d)\.([mc]?)ts$/, '.$1js') : specifier;
}

function toSourcePlace(file: TypeScript.SourceFile, position: number): SourcePlace {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { line: line + 1, column: character + 1 };
}
