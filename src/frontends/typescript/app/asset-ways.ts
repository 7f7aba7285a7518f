/** Finds expressions that name a file relative to the module. */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ts } from 'ts-morph';
import { withSlashes } from '../program/find-files.ts';
import { isImportCall } from './beyond-types.ts';
import { isHere, isImportMeta } from './here.ts';
import { isRequire } from './requires.ts';

export type Way =
  | { path: string }
  /** Of what is required: a path without an ending, perhaps, which may be a module that is carried. */
  | { path: string; literal: ts.StringLiteralLike }
  /** The path is known only when the code runs. */
  | { isDynamic: true }
  /** So it is with the name of a module. */
  | { isModule: true };

export function wayOf(node: ts.Node, checker: ts.TypeChecker): Way | undefined {
  if (ts.isNewExpression(node)) return findUrlReference(node, checker);
  if (ts.isCallExpression(node))
    return (
      findImportReference(node) ?? findRequireReference(node, checker) ?? findJoinedReference(node, checker)
    );
  if (ts.isTemplateExpression(node) && node.head.text === '') {
    const [span, ...more] = node.templateSpans;
    if (span === undefined || !isHere(span.expression, checker)) return undefined;
    return more.length > 0 ? DYNAMIC : { path: `.${span.literal.text}` };
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return isHere(node.left, checker) ? withDot(joined([node.right], checker)) : undefined;
  return undefined;
}

const DYNAMIC = { isDynamic: true } as const;

/** A dynamic `import(name)`. Literals are ordinary modules, and URLs are no files. */
function findImportReference(node: ts.CallExpression): Way | undefined {
  const [name] = node.arguments;
  if (!isImportCall(node) || name === undefined || ts.isStringLiteralLike(name)) return undefined;
  const isName =
    ts.isIdentifier(name) ||
    ts.isElementAccessExpression(name) ||
    ts.isTemplateExpression(name) ||
    (ts.isBinaryExpression(name) && name.operatorToken.kind === ts.SyntaxKind.PlusToken);
  return isName ? { isModule: true } : undefined;
}

/** `require('./cities.json')`, `import.meta.resolve('./cities.json')` */
function findRequireReference(node: ts.CallExpression, checker: ts.TypeChecker): Way | undefined {
  const [name] = node.arguments;
  if (name === undefined || !isRequire(node.expression, checker)) return undefined;
  const path = constantText(name, checker);
  if (path === undefined) return DYNAMIC;
  if (!/^\.{1,2}\//.test(path)) return undefined;
  return ts.isStringLiteralLike(name) ? { path, literal: name } : { path };
}

/** `join(here, 'data', 'cities.json')` */
function findJoinedReference(node: ts.CallExpression, checker: ts.TypeChecker): Way | undefined {
  const [first, ...rest] = node.arguments;
  const isJoin = /^(?:join|resolve)$/.test(calledName(node));
  if (!isJoin || first === undefined || rest.length === 0 || !isHere(first, checker)) return undefined;
  return joined(rest, checker);
}

function withDot(way: Way): Way {
  return 'path' in way ? { path: `.${way.path}` } : way;
}

function joined(parts: readonly ts.Expression[], checker: ts.TypeChecker): Way {
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
function findUrlReference(node: ts.NewExpression, checker: ts.TypeChecker): Way | undefined {
  const { expression, arguments: [first, base] = [] } = node;
  if (!ts.isIdentifier(expression) || expression.text !== 'URL' || first === undefined) return undefined;
  if (base === undefined || !isImportMeta(base, 'url')) return undefined;
  const text = constantText(first, checker);
  if (text === undefined) return DYNAMIC;
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(text)) return undefined;
  const { fileName } = node.getSourceFile();
  const url = new URL(text, pathToFileURL(fileName));
  return { path: withSlashes(relative(dirname(fileName), fileURLToPath(url))) };
}

function calledName({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}
