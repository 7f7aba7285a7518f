/**
 * Strips types from code a person wrote. The one module after the model that knows TypeScript, and it loads the
 * compiler only when it is called: a project whose handlers are as they were emitted never pays for it.
 */
import type { ts as TypeScript } from 'ts-morph';

export interface Transpiled {
  code: string;
  /** From there to the source, as JSON. */
  map: string;
  /** What TypeScript says of the syntax; empty when it is fine. */
  faults: (SourcePlace & { message: string })[];
  /**
   * What `code` imports before it runs, as written and as `code` has it; what is imported for its types alone is not
   * among it. `names`: those that all code there takes of the module; undefined where that is more than names say.
   */
  imports: (SourcePlace & { specifier: string; built: string; names: string[] | undefined })[];
  /** The keys of `tools` in `export const handlers = {…}`, those that stand there as they are; others it may have too. */
  tools: (SourcePlace & { name: string })[];
  /** What it declares, exports by its own name, and speaks of nowhere else. */
  idle: (SourcePlace & { name: string })[];
  /** It imports more when it runs: `import(…)`. */
  isDynamic: boolean;
}

/** 1-based, in the source. */
interface SourcePlace {
  line: number;
  column: number;
}

/** Compiles one TypeScript module to what `npm run build` would make of it. */
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
  const parsed = ts.createSourceFile(fileName, source, ts.ScriptTarget.ES2023);
  const output = ts.createSourceFile(fileName, outputText, ts.ScriptTarget.ES2023);
  const needed = namesOf(output, ts);
  const place = (position: number) => placeAt(parsed, position);
  return {
    code: outputText.replaceAll('\r\n', '\n').replace(/\/\/# sourceMappingURL=.*\n?$/, ''),
    map: sourceMapText ?? '{}',
    faults: diagnostics.map(({ start = 0, messageText }) => ({
      ...place(start),
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    })),
    imports: importsOf(parsed, ts)
      .map((literal) => ({
        specifier: literal.text,
        built: builtSpecifier(literal.text),
        names: needed.get(builtSpecifier(literal.text)),
        ...place(literal.getStart(parsed)),
      }))
      .filter(({ built }) => needed.has(built)),
    tools: replacedTools(parsed, ts).map((key) => ({ name: key.text, ...place(key.getStart(parsed)) })),
    idle: exportedNames(parsed, ts)
      .filter(({ text }) => usesOf(text, parsed, ts) === 1)
      .map((name) => ({ name: name.text, ...place(name.getStart(parsed)) })),
    isDynamic: importsLater(output, ts),
  };
}

type Key = TypeScript.Identifier | TypeScript.StringLiteral | TypeScript.NumericLiteral;

/** None where other code of the module may change what `handlers` holds. */
function replacedTools(file: TypeScript.SourceFile, ts: typeof TypeScript): Key[] {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => ts.isIdentifier(name) && name.text === 'handlers');
  if (declared === undefined || usesOf('handlers', file, ts) > 1) return [];
  const tools = membersOf(declared.initializer, ts).findLast(
    (member) => ts.isSpreadAssignment(member) || keyOf(member, ts)?.text === 'tools',
  );
  if (tools === undefined || !ts.isPropertyAssignment(tools)) return [];
  return membersOf(tools.initializer, ts).flatMap((member) => keyOf(member, ts) ?? []);
}

/** Of an object that is written out; a type may be said of it. */
function membersOf(
  value: TypeScript.Expression | undefined,
  ts: typeof TypeScript,
): readonly TypeScript.ObjectLiteralElementLike[] {
  if (value === undefined) return [];
  if (ts.isSatisfiesExpression(value) || ts.isAsExpression(value) || ts.isParenthesizedExpression(value))
    return membersOf(value.expression, ts);
  return ts.isObjectLiteralExpression(value) ? value.properties : [];
}

function keyOf({ name }: TypeScript.ObjectLiteralElementLike, ts: typeof TypeScript): Key | undefined {
  if (name === undefined) return undefined;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name : undefined;
}

/** Of `export const …` and `export function …`. */
function exportedNames(file: TypeScript.SourceFile, ts: typeof TypeScript): TypeScript.Identifier[] {
  return file.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    const names = ts.isFunctionDeclaration(statement) ? [statement.name] : declared.map(({ name }) => name);
    return names.filter((name) => name !== undefined && ts.isIdentifier(name));
  });
}

function importsLater(file: TypeScript.SourceFile, ts: typeof TypeScript): boolean {
  const find = (node: TypeScript.Node): boolean =>
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) ||
    (ts.forEachChild(node, (child) => find(child) || undefined) ?? false);
  return find(file);
}

function usesOf(word: string, file: TypeScript.SourceFile, ts: typeof TypeScript): number {
  let uses = 0;
  const visit = (node: TypeScript.Node): void => {
    if (ts.isIdentifier(node) && node.text === word) uses += 1;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/** The specifiers of `import … from` and `export … from`. */
function importsOf(file: TypeScript.SourceFile, ts: typeof TypeScript): TypeScript.StringLiteral[] {
  return file.statements.flatMap((statement) => specifierOf(statement, ts));
}

function specifierOf(
  statement: TypeScript.Statement,
  ts: typeof TypeScript,
): [] | [TypeScript.StringLiteral] {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
  const { moduleSpecifier } = statement;
  return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier] : [];
}

/** By specifier what is taken of the module by name; undefined for a default, all of it, or what is exported again. */
function namesOf(file: TypeScript.SourceFile, ts: typeof TypeScript): Map<string, string[] | undefined> {
  const taken = new Map<string, string[] | undefined>();
  for (const statement of file.statements) {
    const [literal] = specifierOf(statement, ts);
    if (literal === undefined) continue;
    const names = ts.isImportDeclaration(statement) ? namesIn(statement, ts) : undefined;
    const before = taken.has(literal.text) ? taken.get(literal.text) : [];
    taken.set(literal.text, before && names && [...before, ...names]);
  }
  return taken;
}

function namesIn(
  { importClause }: TypeScript.ImportDeclaration,
  ts: typeof TypeScript,
): string[] | undefined {
  const { name, namedBindings } = importClause ?? {};
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings))
    return undefined;
  return namedBindings.elements.map((each) => (each.propertyName ?? each.name).text);
}

/** As `rewriteRelativeImportExtensions` does it. */
function builtSpecifier(specifier: string): string {
  return /^\.{1,2}\//.test(specifier) ? specifier.replace(/(?<!\.d)\.([mc]?)ts$/, '.$1js') : specifier;
}

function placeAt(file: TypeScript.SourceFile, position: number): SourcePlace {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { line: line + 1, column: character + 1 };
}
