/** Finds text files that code reads by `new URL('./cities.json', import.meta.url)`. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ts } from 'ts-morph';

import { findFolderWithManifest, toPosixPath } from '../program/find-files.ts';

/** `problem` ends a sentence. */
export type FoundAsset =
  | { path: string; contents: string }
  | {
      node: ts.Node;
      what: string;
      problem: string;
    };

/** Missing files are skipped, since they may be created later. */
export function findAssets(file: ts.SourceFile, checker: ts.TypeChecker): FoundAsset[] {
  if (!/\bimport\.meta\b|\b__dirname\b/.test(file.text)) return [];
  const assets: FoundAsset[] = [];
  let hasFolder = false;
  const visitNode = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) assets.push(...readUrl(node, checker));
    else if (isFolderOfFile(node) && !hasFolder) {
      hasFolder = true;
      assets.push({ node, what: node.getText(), problem: BY_FOLDER });
    }
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return assets;
}

const BY_FOLDER = "only files that `new URL('./name', import.meta.url)` names are";

/** `__dirname`, `import.meta.dirname`, `dirname(fileURLToPath(import.meta.url))` */
function isFolderOfFile(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === 'dirname' && ts.isMetaProperty(node.expression);
  if (ts.isIdentifier(node)) return node.text === '__dirname' && !ts.isVariableDeclaration(node.parent);
  return ts.isCallExpression(node) && /^(?:path\.)?dirname\(.*import\.meta/.test(node.getText());
}

function readUrl(node: ts.NewExpression, checker: ts.TypeChecker): FoundAsset[] {
  const { expression, arguments: [name, base] = [] } = node;
  if (expression.getText() !== 'URL' || name === undefined || base?.getText() !== 'import.meta.url')
    return [];
  const text = constantText(name, checker);
  if (text === undefined)
    return [{ node, what: shortenNodeText(node), problem: 'which file it is shows only when the code runs' }];
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(text)) return [];
  const { fileName } = node.getSourceFile();
  const path = toPosixPath(fileURLToPath(new URL(text, pathToFileURL(fileName))));
  if (!existsSync(path)) return [];
  const problem = findAssetProblem(path, fileName);
  if (problem !== undefined) return [{ node, what: text, problem }];
  try {
    const contents = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return [{ path, contents }];
  } catch {
    return [{ node, what: text, problem: 'it holds bytes that are no text in UTF-8' }];
  }
}

function shortenNodeText(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function findAssetProblem(path: string, from: string): string | undefined {
  const home = findFolderWithManifest(dirname(from)) ?? dirname(from);
  const way = relative(home, path);
  if (way.startsWith('..') || way.split(/[/\\]/).includes('node_modules'))
    return 'it is outside of the folder of your package.json';
  if (statSync(path).isDirectory()) return 'it is a folder';
  if (basename(path).startsWith('.')) return 'its name begins with a dot, so it may hold what is secret';
  if (/^\.[mc]?[jt]sx?$/.test(extname(path)))
    return 'it is code, which is carried where it is imported, and not for a worker';
  return undefined;
}

function constantText(node: ts.Expression, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  const type = checker.getTypeAtLocation(node);
  return type.isStringLiteral() ? type.value : undefined;
}
