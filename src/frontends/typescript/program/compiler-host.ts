import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ts } from 'ts-morph';

import { readStamp } from '../../../util/file-stamp.ts';
import { packageRoot } from '../../../util/version.ts';
import { linesOfBlock, parseDocs } from '../docs/doc-text.ts';
import { findTagEntry, normalizeTagName } from '../tags/tag-registry.ts';
import { copyJsDoc, withText } from './compiler-internals.ts';

export function compilerHost(options: ts.CompilerOptions, cwd: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const declarations = pathOfBuiltPart('language/');
  return {
    ...host,
    getCurrentDirectory: () => cwd,
    getDefaultLibLocation: () => LANGUAGE,
    getDefaultLibFileName: (of) => `${LANGUAGE}${ts.getDefaultLibFileName(of)}`,
    getSourceFile: (file, how, ...rest) => {
      if (file.startsWith(LANGUAGE)) {
        const text = (): string | undefined =>
          ts.sys.readFile(`${declarations}${file.slice(LANGUAGE.length)}`);
        return parseSharedDeclarations(file, how, text);
      }
      if (file.includes(NODE_TYPES)) return parseSharedDeclarations(file, how, () => ts.sys.readFile(file));
      if (file.includes('/node_modules/') && !isJavaScript({ fileName: file })) {
        const declared = getSourceFile(file, withoutJsDocParsing(how), ...rest);
        if (declared !== undefined) undocumented.add(declared);
        return declared;
      }
      const given = getSourceFile(file, how, ...rest);
      return given && joinJsDocMembers(given, how);
    },
  };
}

/**
 * Declarations of the language and Node are most of a program, so all programs of a process share them, without docs.
 */
function parseSharedDeclarations(
  file: string,
  how: HowToParse,
  read: () => string | undefined,
): ts.SourceFile | undefined {
  const version = versionOfParsedFile(file, how);
  const known = parsed.get(file);
  if (known?.version === version) return known.source;
  const text = read();
  if (text === undefined) return undefined;
  const source = ts.createSourceFile(file, text, withoutJsDocParsing(how));
  parsed.set(file, { version, source });
  return source;
}

const parsed = new Map<string, { version: string; source: ts.SourceFile }>();

/** The version covers everything that a file's tree depends on. The language's own files never change. */
export function versionOfParsedFile(file: string, how: HowToParse): string {
  const stamp = readStamp(file) ?? '';
  if (typeof how !== 'object') return `${stamp} ${how}`;
  return `${stamp} ${how.languageVersion} ${how.impliedNodeFormat} ${how.jsDocParsingMode}`;
}

/** A virtual location, so that output does not depend on mcpgen's own place. */
const LANGUAGE = '/node_modules/typescript/lib/';

const NODE_TYPES = '/node_modules/@types/node/';

type HowToParse = ts.ScriptTarget | ts.CreateSourceFileOptions;

function withoutJsDocParsing(how: HowToParse): ts.CreateSourceFileOptions {
  const options = typeof how === 'object' ? how : { languageVersion: how };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
}

/** Declarations of packages whose docs are not parsed yet: they are most of a package's text, and few are asked for. */
const undocumented = new WeakSet<ts.SourceFile>();

/** Parses the docs of a package's file when they are first read. */
export function parseDocsOfPackage(file: ts.SourceFile): void {
  if (!undocumented.delete(file)) return;
  const { fileName, text, languageVersion, impliedNodeFormat } = file;
  const how = { languageVersion, impliedNodeFormat, jsDocParsingMode: ts.JSDocParsingMode.ParseAll };
  copyDocsBetweenTrees(file, ts.createSourceFile(fileName, text, how, true));
}

function copyDocsBetweenTrees(node: ts.Node, documented: ts.Node): void {
  copyJsDoc(node, documented);
  const others: ts.Node[] = [];
  ts.forEachChild(documented, (child) => void others.push(child));
  let count = 0;
  ts.forEachChild(node, (child) => {
    const other = others[count++];
    if (other !== undefined) copyDocsBetweenTrees(child, other);
  });
}

export function pathOfBuiltPart(path: string): string {
  const place = fileURLToPath(new URL(`dist/${path}`, packageRoot()));
  if (!existsSync(place)) throw new Error('mcpgen is not built: run `npm run build` in it first.');
  return place;
}

/**
 * TypeScript ends the members of a JSDoc type (`@property` after `@typedef`, `@param a.b` after `@param a`) at any
 * other tag, so tags inside a member's text are replaced by blanks. Text and positions stay the same.
 */
function joinJsDocMembers(
  file: ts.SourceFile,
  how: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile {
  if (!isJavaScript(file) || !/@(?:prop|param|arg)/.test(file.text)) return file;
  const ends = findDocBlocks(file).flatMap((block) => findTagsThatEndMembers(block, file));
  if (ends.length === 0) return file;
  const joined = ts.createSourceFile(file.fileName, replaceWithBlanks(file.text, ends), how, true);
  return withText(joined, file.text);
}

export function isJavaScript({ fileName }: Pick<ts.SourceFile, 'fileName'>): boolean {
  return /\.[cm]?jsx?$/.test(fileName);
}

function findTagsThatEndMembers(block: ts.JSDoc, file: ts.SourceFile): number[] {
  const { tags } = parseDocs(linesOfBlock(file, block.pos, block.end), file);
  const known = new Set(tags.map(({ offset }) => offset));
  return (block.tags ?? [])
    .filter(({ tagName }) => findTagEntry(normalizeTagName(tagName.text))?.values !== undefined)
    .map((tag) => tag.getStart(file))
    .filter((start) => !known.has(start));
}

function replaceWithBlanks(text: string, offsets: readonly number[]): string {
  const units = text.split('');
  for (const offset of offsets) units[offset] = ' ';
  return units.join('');
}

/** Includes blocks at the end of a file and before other blocks. */
export function findDocBlocks(file: ts.SourceFile): ts.JSDoc[] {
  const blocks = new Map<number, ts.JSDoc>();
  const visitNode = (node: ts.Node): void => {
    if (file.text.slice(node.pos, node.getStart(file)).includes('/**'))
      for (const block of node.getChildren(file).filter((child) => ts.isJSDoc(child)))
        blocks.set(block.pos, block);
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return [...blocks.values()];
}
