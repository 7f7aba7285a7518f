/** Files that code reads beside itself: what it names by `import.meta.url`, `import.meta.dirname` or `__dirname`. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ts } from 'ts-morph';
import { withSlashes } from '../program/find-files.ts';
import { isHere, isImportMeta } from './here.ts';

/** A file to carry, or why what is read is not carried; `problem` ends a sentence. */
export type FoundAsset =
  { path: string; contents: string } | { node: ts.Node; what: string; problem: string };

/** In their order. What is not there (yet) is nothing to carry. */
export function findAssets(file: ts.SourceFile, checker: ts.TypeChecker): FoundAsset[] {
  if (!/\bimport\.meta\b|\b__dirname\b/.test(file.text)) return [];
  const found: FoundAsset[] = [];
  const visit = (node: ts.Node): void => {
    const way = wayOf(node, checker);
    if (way !== undefined) found.push(...assetsAt(way, node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The path from the file's own folder; `dynamic` where it is known only when the code runs. */
type Way = { path: string } | 'dynamic';

function wayOf(node: ts.Node, checker: ts.TypeChecker): Way | undefined {
  if (ts.isNewExpression(node)) return wayOfUrl(node);
  if (ts.isCallExpression(node)) {
    const [first, ...rest] = node.arguments;
    if (!/^(?:join|resolve)$/.test(calledName(node)) || first === undefined || !isHere(first, checker))
      return undefined;
    return rest.length === 0 ? undefined : joined(rest);
  }
  if (ts.isTemplateExpression(node) && node.head.text === '') {
    const [span, ...more] = node.templateSpans;
    if (span === undefined || !isHere(span.expression, checker)) return undefined;
    return more.length > 0 ? 'dynamic' : { path: `.${span.literal.text}` };
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return isHere(node.left, checker) ? withDot(joined([node.right])) : undefined;
  return undefined;
}

function withDot(way: Way): Way {
  return way === 'dynamic' ? way : { path: `.${way.path}` };
}

function joined(parts: readonly ts.Expression[]): Way {
  const texts = parts.flatMap((part) => (ts.isStringLiteralLike(part) ? part.text : []));
  return texts.length < parts.length ? 'dynamic' : { path: join(...texts) };
}

/** `new URL('./cities.json', import.meta.url)` */
function wayOfUrl(node: ts.NewExpression): Way | undefined {
  const { expression, arguments: [first, base] = [] } = node;
  if (!ts.isIdentifier(expression) || expression.text !== 'URL' || first === undefined) return undefined;
  if (base === undefined || !isImportMeta(base, 'url')) return undefined;
  if (!ts.isStringLiteralLike(first)) return 'dynamic';
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(first.text)) return undefined;
  const { fileName } = node.getSourceFile();
  const url = new URL(first.text, pathToFileURL(fileName));
  return { path: withSlashes(relative(dirname(fileName), fileURLToPath(url))) };
}

function calledName({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

function assetsAt(way: Way, node: ts.Node, { fileName }: ts.SourceFile): FoundAsset[] {
  if (way === 'dynamic')
    return [{ node, what: shortText(node), problem: 'which file it is shows only when the code runs' }];
  const path = withSlashes(resolve(dirname(fileName), way.path));
  if (!existsSync(path)) return [];
  const problem = problemOf(path, fileName);
  if (problem !== undefined) return [{ node, what: way.path, problem }];
  const contents = textOf(path);
  return contents === undefined
    ? [{ node, what: way.path, problem: 'it holds bytes that are no text in UTF-8' }]
    : [{ path, contents }];
}

function shortText(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function problemOf(path: string, from: string): string | undefined {
  const home = packageFolder(dirname(from));
  const way = relative(home, path);
  if (way.startsWith('..') || way.split(/[/\\]/).includes('node_modules'))
    return 'it is outside of the folder of your package.json';
  if (statSync(path).isDirectory()) return 'it is a folder';
  if (basename(path).startsWith('.')) return 'its name begins with a dot, so it may hold what is secret';
  if (/^\.[mc]?[jt]sx?$/.test(extname(path))) return 'it is code, which is carried where it is imported';
  return undefined;
}

/** The nearest with a `package.json`; without one the folder itself. */
function packageFolder(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, 'package.json'))) return each;
    if (dirname(each) === each) return folder;
  }
}

function textOf(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}
