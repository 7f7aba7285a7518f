/** Reads TypeScript modules for their sizes, names, comments and imports. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The first line of each module of the runtime is no comment on it. */
const HEADER = "Part of mcpgen's runtime";

/** Words that a comment without a subject opens with. */
const OPENERS = /^(?:What|Whose|Those|Of|Who|Whom|It|They|That|Some|None)\b/;

/**
 * @typedef {object} Module
 * @property {string} file
 * @property {number} lines
 * @property {number} spreads how often it writes `...(x === undefined ? {} : …)`
 * @property {{ name: string, lines: number }[]} functions
 * @property {{ text: string, line: number, opens: boolean }[]} comments the first words of each; `opens`: without a subject
 * @property {{ to: string, isType: boolean }[]} imports of other modules by their files; those by `import()` are left out
 */

/** @param {string} folder @returns {Module[]} */
export function readModules(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readModule(path.join(folder, name)));
}

/** @param {string} file @returns {Module} */
function readModule(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const functions = [];
  const visit = (node) => {
    const name = nameOf(node);
    if (name !== undefined) functions.push({ name, lines: linesOf(source, node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    file,
    lines: text.split('\n').length - 1,
    spreads: text.match(/\.\.\.\([^()]*(?:\([^()]*\)[^()]*)*(?:=== undefined|!== undefined)/g)?.length ?? 0,
    functions,
    comments: commentsOf(source),
    imports: importsOf(source, file),
  };
}

/** Functions, methods and accessors with a body, and constants that are functions. */
function nameOf(node) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node))
    return node.body && node.name?.getText();
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return undefined;
  const isFunction = ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
  return isFunction ? node.name.getText() : undefined;
}

function linesOf(source, node) {
  const line = (at) => source.getLineAndCharacterOfPosition(at).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
}

/** Comments before any node, line comments one behind the other as one. */
function commentsOf(source) {
  const text = source.text;
  const ranges = new Map();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      ranges.set(range.pos, range);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const found = [];
  let end = -1;
  for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const words = text
      .slice(range.pos, range.end)
      .replaceAll(/^\/\*\*?|\*\/$|^\s*\* ?|^\/\/ ?/gm, '')
      .trim()
      .replaceAll(/\s+/g, ' ');
    const isNext =
      range.kind === ts.SyntaxKind.SingleLineCommentTrivia && /^\s*$/.test(text.slice(end, range.pos));
    const last = found.at(-1);
    if (isNext && last !== undefined && end !== -1) last.text += ` ${words}`;
    else if (words !== '' && !words.startsWith('@') && !words.startsWith(HEADER))
      found.push({
        text: words,
        line: source.getLineAndCharacterOfPosition(range.pos).line + 1,
        opens: OPENERS.test(words),
      });
    end = range.end;
  }
  return found;
}

function importsOf(source, file) {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier?.text;
    if (specifier?.startsWith('.') !== true) return [];
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.isTypeOnly === true
      : statement.isTypeOnly;
    return [{ to: path.join(path.dirname(file), specifier), isType }];
  });
}
