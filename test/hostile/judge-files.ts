/** What the files of a project say beside data. Two documents that differ in texts alone must say the same. */
import type { ParserOptions } from 'prettier';
import { parsers } from 'prettier/plugins/markdown';
import { ts } from 'ts-morph';
import type { GeneratedFile } from '../../src/emit/index.ts';
import { composeIn, installIn } from './judge-installs.ts';
import { manifestIn } from './judge-manifests.ts';

export interface Sayings {
  /** Of each file of code: what it does, without names and texts. */
  code: Record<string, string[]>;
  /** Of each page: its HTML, its links and images, and its headings, fences and tables. */
  markdown: Record<string, string[]>;
  /** Of `.env.example`: everything that is no comment. */
  variables: string[];
  /** What is run: scripts, packages, instructions. */
  commands: Record<string, unknown>;
  /** Complaints about single files: no twin is needed to see what is wrong. */
  wrong: string[];
}

export async function sayingsOf(files: readonly GeneratedFile[]): Promise<Sayings> {
  const own = files.filter(({ path }) => !/(?:^|\/)(?:runtime|chunks)\//.test(path));
  const sayings: Sayings = { code: {}, markdown: {}, variables: [], commands: {}, wrong: [] };
  for (const { path, contents } of own) {
    if (!isSoundPath(path)) sayings.wrong.push(`the path ${JSON.stringify(path)}`);
    if (hasControls(path, contents)) sayings.wrong.push(`${path} holds control characters`);
    if (/\.[cm]?[jt]s$/.test(path)) sayings.code[path] = codeIn(path, contents, sayings.wrong);
    else if (path.endsWith('.json')) readJson(path, contents, sayings);
    else if (path.endsWith('.md')) sayings.markdown[path] = await markdownIn(contents, sayings.wrong);
    else if (path === '.env.example') sayings.variables = variablesIn(contents, sayings.wrong);
    else if (path === 'compose.yaml') sayings.commands[path] = composeIn(contents, sayings.wrong);
    else if (path === 'deploy/kubernetes.yaml') sayings.commands[path] = manifestIn(contents, sayings.wrong);
    else if (!path.endsWith('.lock')) sayings.commands[path] = contents;
  }
  return sayings;
}

function isSoundPath(path: string): boolean {
  return path.split('/').every((part) => /^[\w.-]+$/.test(part) && part !== '..' && part !== '.');
}

/** What terminals or editors act upon. In JSON only what JSON forbids: the rest is seen by nothing but parsers of JSON. */
function hasControls(path: string, contents: string): boolean {
  if (/[\u0000-\u0008\u000b-\u001f]/.test(contents) || /\p{Surrogate}/u.test(contents)) return true;
  return (
    !/\.(?:json|lock)$/.test(path) &&
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/.test(contents)
  );
}

/** Kinds that name things, or hold data; what stands in a type says nothing at run time. */
function codeIn(path: string, contents: string, wrong: string[]): string[] {
  const source = ts.createSourceFile(path, contents, ts.ScriptTarget.Latest, true);
  const faults: unknown = Reflect.get(source, 'parseDiagnostics');
  if (!Array.isArray(faults) || faults.length > 0) wrong.push(`${path} is not code`);
  if (source.referencedFiles.length > 0 || Reflect.get(source, 'checkJsDirective') !== undefined)
    wrong.push(`${path} has a directive`);
  const said: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isTypeNode(node)) return;
    if (!isData(node))
      said.push(`${ts.SyntaxKind[node.kind]}${ts.isIdentifier(node) ? ` ${node.text}` : ''}`);
    if (!ts.isPropertyAssignment(node)) ts.forEachChild(node, visit);
    else visit(node.initializer);
  };
  visit(source);
  return said;
}

function isData(node: ts.Node): boolean {
  const { SyntaxKind } = ts;
  return (
    ts.isLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isPropertyAssignment(node) ||
    [SyntaxKind.NullKeyword, SyntaxKind.TrueKeyword, SyntaxKind.FalseKeyword].includes(node.kind)
  );
}

function readJson(path: string, contents: string, { commands, wrong }: Sayings): void {
  let value: unknown;
  try {
    value = JSON.parse(contents);
  } catch {
    wrong.push(`${path} is not JSON`);
    return;
  }
  if (path !== 'package.json') return;
  const { scripts, dependencies, devDependencies, files, type, engines, bin, name } = value as Record<
    string,
    unknown
  >;
  commands[path] = { scripts, dependencies, devDependencies, files, type, engines };
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name))
    wrong.push(`the package is called ${String(name)}`);
  if (JSON.stringify(bin) !== JSON.stringify({ [String(name)]: 'dist/main.js' })) wrong.push('bin');
}

interface MarkdownNode {
  type: string;
  url?: string;
  value?: string;
  lang?: string | null;
  depth?: number;
  children?: MarkdownNode[];
}

async function markdownIn(contents: string, wrong: string[]): Promise<string[]> {
  const tree: unknown = await parsers.markdown.parse(contents, {} as ParserOptions);
  const said: string[] = [];
  const visit = (node: MarkdownNode): void => {
    const { type, url, value = '', lang, children = [] } = node;
    if (
      [
        'heading',
        'table',
        'list',
        'thematicBreak',
        'blockquote',
        'math',
        'inlineMath',
        'footnoteDefinition',
      ].includes(type)
    )
      said.push(type);
    if (type === 'code') said.push(lang === 'json' ? jsonIn(value) : `code ${lang ?? ''} ${signsIn(value)}`);
    if (type === 'html' || type === 'liquidNode') said.push(`html ${value}`);
    // A bare address shows where it leads.
    if (url !== undefined && textOf(node) !== url) said.push(installIn(url, wrong) ?? `${type} ${url}`);
    children.forEach(visit);
  };
  visit(tree as MarkdownNode);
  return said;
}

/** Of commands: what is neither a word nor an option. */
function signsIn(code: string): string {
  return code.replaceAll(/[\w./:=@ -]+|\n/g, '');
}

function jsonIn(code: string): string {
  try {
    return `code json ${typeof JSON.parse(code)}`;
  } catch {
    return 'broken json';
  }
}

function textOf({ value = '', children = [] }: MarkdownNode): string {
  return value + children.map(textOf).join('');
}

function variablesIn(contents: string, wrong: string[]): string[] {
  const names: string[] = [];
  const said: string[] = [];
  for (const line of contents.split('\n')) {
    const [, name] = /^# ([A-Z][A-Z0-9_]*)=/.exec(line) ?? [];
    if (name !== undefined) names.push(name);
    if (!line.startsWith('# ') && line !== '') said.push(line);
  }
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    wrong.push(`${name} stands twice`);
  for (const name of names)
    if (/^(?:NODE_(?!EXTRA_CA_CERTS$)|LD_|DYLD_|PATH$|HOME$|SHELL$)/.test(name))
      wrong.push(`${name} is taken`);
  return said;
}
