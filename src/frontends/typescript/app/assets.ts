/** Finds files that code reads relative to itself (`import.meta.url`, `__dirname`), or requires. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ts } from 'ts-morph';

import { decodeUtf8 } from '../../../util/read-file.ts';
import { findFolderWithManifest, toPosixPath } from '../program/find-files.ts';
import { isImportMeta, type OwnModules, isRequireFunction } from './module-specifiers.ts';

/** `problem` ends a sentence. */
export type FoundAsset =
  | { path: string; contents: string }
  | {
      node: ts.Node;
      what: string;
      problem: string;
    };

/** Missing files are skipped, since they may be created later. */
export function findAssets(file: ts.SourceFile, checker: ts.TypeChecker, modules: OwnModules): FoundAsset[] {
  if (!/\bimport\.meta\b|\b__dirname\b|\brequire\b/.test(file.text)) return [];
  const assets: FoundAsset[] = [];
  const visitNode = (node: ts.Node): void => {
    const way = findAssetReference(node, checker);
    const isModule =
      way !== undefined && 'literal' in way && modules.resolveModule(way.literal).ownFile !== undefined;
    if (way !== undefined && !isModule) assets.push(...readAsset(way, node, file));
    ts.forEachChild(node, visitNode);
  };
  visitNode(file);
  return assets;
}

function readAsset(way: ValuePath, node: ts.Node, { fileName }: ts.SourceFile): FoundAsset[] {
  if ('isDynamic' in way)
    return [{ node, what: shortenNodeText(node), problem: 'which file it is shows only when the code runs' }];
  const path = addRequireExtension(toPosixPath(resolve(dirname(fileName), way.path)), way);
  if (!existsSync(path)) return [];
  const problem = findAssetProblem(path, fileName);
  if (problem !== undefined) return [{ node, what: way.path, problem }];
  const contents = decodeUtf8(readFileSync(path));
  return contents === undefined
    ? [{ node, what: way.path, problem: 'it holds bytes that are no text in UTF-8' }]
    : [{ path, contents }];
}

/** `require('./cities')` finds `cities.js` and `cities.json`. */
function addRequireExtension(path: string, way: ValuePath): string {
  if (!('literal' in way) || existsSync(path)) return path;
  return ['.js', '.ts'].map((end) => `${path}${end}`).find((file) => existsSync(file)) ?? `${path}.json`;
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

type ValuePath =
  | { path: string }
  /** A `require` may lack its extension, and may lead to a module that is copied anyway. */
  | { path: string; literal: ts.StringLiteralLike }
  /** Only the running code knows the path. */
  | { isDynamic: true };

function findAssetReference(node: ts.Node, checker: ts.TypeChecker): ValuePath | undefined {
  if (ts.isNewExpression(node)) return findUrlReference(node, checker);
  if (ts.isCallExpression(node))
    return findRequireReference(node, checker) ?? findJoinedReference(node, checker);
  return undefined;
}

const DYNAMIC = { isDynamic: true } as const;

/** `require('./cities.json')`, `import.meta.resolve('./cities.json')` */
function findRequireReference(node: ts.CallExpression, checker: ts.TypeChecker): ValuePath | undefined {
  const [name] = node.arguments;
  if (name === undefined || !isRequireFunction(node.expression, checker)) return undefined;
  const path = constantText(name, checker);
  if (path === undefined) return DYNAMIC;
  if (!/^\.{1,2}\//.test(path)) return undefined;
  if (!ts.isStringLiteralLike(name)) return { path };
  return { path, literal: name };
}

/** `join(here, 'data', 'cities.json')` */
function findJoinedReference(node: ts.CallExpression, checker: ts.TypeChecker): ValuePath | undefined {
  const [first, ...rest] = node.arguments;
  const isJoin = /^(?:join|resolve)$/.test(nameOfCallee(node));
  if (!isJoin || first === undefined || rest.length === 0 || !isOwnFolderExpression(first, checker))
    return undefined;
  return joinConstantPath(rest, checker);
}

function joinConstantPath(parts: readonly ts.Expression[], checker: ts.TypeChecker): ValuePath {
  const texts = parts.flatMap((part) => constantText(part, checker) ?? []);
  return texts.length < parts.length ? DYNAMIC : { path: join(...texts) };
}

function constantText(node: ts.Expression, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  const declaration = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined;
  const { initializer } = declaration;
  const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return isConstant && initializer !== undefined && ts.isStringLiteralLike(initializer)
    ? initializer.text
    : undefined;
}

/** `new URL('./cities.json', import.meta.url)` */
function findUrlReference(node: ts.NewExpression, checker: ts.TypeChecker): ValuePath | undefined {
  const { expression, arguments: [first, base] = [] } = node;
  if (!ts.isIdentifier(expression) || expression.text !== 'URL' || first === undefined) return undefined;
  if (base === undefined || !isImportMeta(base, 'url')) return undefined;
  const text = constantText(first, checker);
  if (text === undefined) return DYNAMIC;
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(text)) return undefined;
  const { fileName } = node.getSourceFile();
  const url = new URL(text, pathToFileURL(fileName));
  const path = toPosixPath(relative(dirname(fileName), fileURLToPath(url)));
  return { path };
}

function nameOfCallee({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

/** `import.meta.dirname`, `__dirname`, `dirname(fileURLToPath(import.meta.url))`, or a constant with one of these. */
function isOwnFolderExpression(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (isImportMeta(node, 'dirname')) return true;
  if (ts.isCallExpression(node)) return isCallTo('dirname', node, isOwnFileExpression);
  if (!ts.isIdentifier(node)) return false;
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return node.text === '__dirname';
  const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  const { initializer } = declaration;
  // A constant that is initialised with another name is unknown.
  if (!isConstant || initializer === undefined || ts.isIdentifier(initializer))
    return node.text === '__dirname' && declaration.getSourceFile().isDeclarationFile;
  return isOwnFolderExpression(initializer, checker);
}

function isOwnFileExpression(node: ts.Expression): boolean {
  if (isImportMeta(node, 'filename')) return true;
  return ts.isCallExpression(node) && isCallTo('fileURLToPath', node, (url) => isImportMeta(url, 'url'));
}

function isCallTo(
  name: string,
  { expression, arguments: [first] }: ts.CallExpression,
  isArgument: (node: ts.Expression) => boolean,
): boolean {
  const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(called) && called.text === name && first !== undefined && isArgument(first);
}
