/** Finds files that code reads relative to itself (`import.meta.url`, `__dirname`), or requires. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { ts } from 'ts-morph';
import { withSlashes } from '../program/find-files.ts';
import { type Way, wayOf } from './asset-ways.ts';
import type { OwnModules } from './own-modules.ts';

/** A file to copy, or the reason why it is not copied; `problem` ends a sentence. */
export type FoundAsset =
  | { path: string; contents: string }
  | {
      node: ts.Node;
      what: string;
      problem: string;
      /**
       * The code imports it. It is resolved among the running modules, so it is found nowhere, not even where the
       * code lies.
       */
      isModule?: boolean;
    };

/** Missing files are skipped, since they may be created later. */
export function findAssets(file: ts.SourceFile, checker: ts.TypeChecker, modules: OwnModules): FoundAsset[] {
  if (!/\bimport\.meta\b|\b__dirname\b|\brequire\b|\bimport\s*\(/.test(file.text)) return [];
  const found: FoundAsset[] = [];
  const visit = (node: ts.Node): void => {
    const way = wayOf(node, checker);
    const isCarried = way !== undefined && 'literal' in way && modules.find(way.literal).own !== undefined;
    if (way !== undefined && !isCarried) found.push(...readAsset(way, node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function readAsset(way: Way, node: ts.Node, { fileName }: ts.SourceFile): FoundAsset[] {
  if ('isModule' in way) {
    const problem = 'which module it is shows only when the code runs';
    return [{ node, what: shortText(node), problem, isModule: true }];
  }
  if ('isDynamic' in way)
    return [{ node, what: shortText(node), problem: 'which file it is shows only when the code runs' }];
  const path = withEnding(withSlashes(resolve(dirname(fileName), way.path)), way);
  if (!existsSync(path)) return [];
  const problem = findProblem(path, fileName);
  if (problem !== undefined) return [{ node, what: way.path, problem }];
  const contents = readUtf8(path);
  return contents === undefined
    ? [{ node, what: way.path, problem: 'it holds bytes that are no text in UTF-8' }]
    : [{ path, contents }];
}

/** `require('./cities')` finds `cities.json`. */
function withEnding(path: string, way: Way): string {
  return 'literal' in way && !existsSync(path) ? `${path}.json` : path;
}

function shortText(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function findProblem(path: string, from: string): string | undefined {
  const home = packageFolder(dirname(from));
  const way = relative(home, path);
  if (way.startsWith('..') || way.split(/[/\\]/).includes('node_modules'))
    return 'it is outside of the folder of your package.json';
  if (statSync(path).isDirectory()) return 'it is a folder';
  if (basename(path).startsWith('.')) return 'its name begins with a dot, so it may hold what is secret';
  if (/^\.[mc]?[jt]sx?$/.test(extname(path))) return 'it is code, which is carried where it is imported';
  return undefined;
}

/** The nearest folder with a `package.json`, else the folder itself. */
function packageFolder(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, 'package.json'))) return each;
    if (dirname(each) === each) return folder;
  }
}

function readUtf8(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}
