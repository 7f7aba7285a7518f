// Programs that mcpgen starts: those of this table, and no others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { repositoryRoot, sourceFiles } from './support/source-files.ts';

/** Each file that starts programs, with the first argument of each start. */
const STARTS: Record<string, string[]> = {
  // Found by `findProgram`.
  'src/install/claude-command.ts': ['path'],
  // The Node.js that runs mcpgen, with a file of a project that its user runs.
  'src/cli/serve-project.ts': ['process.execPath'],
  'src/doctor/call-server.ts': ['node'],
  'src/doctor/check-login.ts': ['node'],
  'src/serve/run-schemas.ts': ['execPath'],
};

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);

/** Every node of a file, in order. */
function listNodes(node: ts.Node): ts.Node[] {
  return [node, ...node.getChildren().flatMap(listNodes)];
}

/** The first arguments of calls of what a file imports from node:child_process; other uses as they are written. */
function listStarts(file: string): string[] {
  const nodes = listNodes(parse(file));
  const names = nodes
    .filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier }) => moduleSpecifier.getText() === "'node:child_process'")
    .flatMap((declaration) => listNodes(declaration).filter(ts.isImportSpecifier))
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name }) => name.text);
  return nodes.filter(ts.isIdentifier).flatMap((identifier) => {
    if (!names.includes(identifier.text) || ts.isImportSpecifier(identifier.parent)) return [];
    const { parent } = identifier;
    const callee = parent.getText() === `promisify(${identifier.text})` ? parent : identifier;
    const call = callee.parent;
    const isStart = ts.isCallExpression(call) && call.expression === callee;
    return [isStart ? (call.arguments[0]?.getText() ?? '') : call.getText()];
  });
}

const files = sourceFiles(['src', 'templates/runtime', 'preview']);

test('only the files of the table load node:child_process, each by one import of names', () => {
  const strings = (file: string): string[] =>
    listNodes(parse(file))
      .filter(ts.isStringLiteralLike)
      .filter(({ text }) => /child_process|^(?:node:)?cluster$/.test(text))
      .map(({ parent }) => (ts.isImportDeclaration(parent) ? 'import' : parent.getText()));
  const loaders = files.filter((file) => /child_process|node:cluster/.test(read(file)));
  const uses = Object.fromEntries(loaders.map((file) => [file, strings(file)]));
  expect(uses).toEqual(Object.fromEntries(Object.keys(STARTS).map((file) => [file, ['import']])));
});

test.each(Object.entries(STARTS))('%s starts %j', (file, starts) => {
  expect(listStarts(file)).toEqual(starts);
});

test('the only program with a name is `claude`', () => {
  expect(read('src/write/find-program.ts')).toContain("  name: 'claude',\n");
});
