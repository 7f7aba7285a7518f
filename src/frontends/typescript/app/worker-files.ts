/** Finds the files of workers that code starts: their modules run in threads of their own, so nothing imports them. */
import { posix } from 'node:path';
import { ts } from 'ts-morph';

import { isCallTo, isImportMeta, isOwnFileExpression } from './own-folder.ts';

export interface WorkerFile {
  /** The expression that names the file. */
  node: ts.Expression;
  /** The file relative to the code: `./deep/worker.js`. */
  path: string;
  /** The text that names the file, and how to write another there. */
  text: { start: number; end: number };
  print: (path: string) => string;
  /** The expression that says where the code stands: a URL, or a folder. Absent for `require.resolve`. */
  base?: ts.Expression | undefined;
  isUrl?: true;
}

/** Lists the workers of a file whose names can be read. The file need not be bound. */
export function listWorkerFiles(file: ts.SourceFile): readonly WorkerFile[] {
  const before = known.get(file);
  if (before !== undefined) return before;
  const found = /\bWorker\(/.test(file.text) ? new WorkerReader(file).list() : [];
  known.set(file, found);
  return found;
}

const known = new WeakMap<ts.SourceFile, readonly WorkerFile[]>();

class WorkerReader {
  readonly #file: ts.SourceFile;
  /** Constants that are the only ones of their name. */
  readonly #constants = new Map<string, ts.Expression | undefined>();
  readonly #started: ts.Expression[] = [];

  constructor(file: ts.SourceFile) {
    this.#file = file;
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Const) !== 0)
        for (const each of node.declarations) this.#noteConstant(each);
      const first = ts.isNewExpression(node) && isWorker(node.expression) ? node.arguments?.[0] : undefined;
      if (first !== undefined) this.#started.push(first);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  /** A constant may name the file of several workers. */
  list(): WorkerFile[] {
    const named = this.#started.map((node) => this.#followConstant(node));
    return [...new Set(named)].flatMap((node) => this.#readWorkerFile(node) ?? []);
  }

  #noteConstant({ name, initializer }: ts.VariableDeclaration): void {
    if (!ts.isIdentifier(name) || initializer === undefined) return;
    this.#constants.set(name.text, this.#constants.has(name.text) ? undefined : initializer);
  }

  #followConstant(node: ts.Expression): ts.Expression {
    return (ts.isIdentifier(node) ? this.#constants.get(node.text) : undefined) ?? node;
  }

  #readWorkerFile(node: ts.Expression): WorkerFile | undefined {
    if (ts.isNewExpression(node)) return this.#readUrlExpression(node);
    if (ts.isCallExpression(node)) return this.#readJoinExpression(node) ?? this.#readRequireResolve(node);
    if (ts.isBinaryExpression(node)) return this.#readConcatenation(node);
    return ts.isTemplateExpression(node) ? this.#readTemplateLiteral(node) : undefined;
  }

  /** `new URL('./worker.ts', import.meta.url)` */
  #readUrlExpression(node: ts.NewExpression): WorkerFile | undefined {
    const [name, base] = node.arguments ?? [];
    const isUrl = ts.isIdentifier(node.expression) && node.expression.text === 'URL';
    if (!isUrl || base === undefined || !isImportMeta(base, 'url')) return undefined;
    if (name === undefined || !ts.isStringLiteralLike(name)) return undefined;
    return { node, path: name.text, ...this.#makeTextRange(name, name), base, isUrl };
  }

  /** `path.join(__dirname, 'deep', 'worker.js')` */
  #readJoinExpression(node: ts.CallExpression): WorkerFile | undefined {
    const [base, first, ...others] = node.arguments;
    const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    const isJoin = ts.isIdentifier(called) && /^(?:join|resolve)$/.test(called.text);
    if (!isJoin || base === undefined || first === undefined || !this.#isOwnFolderExpression(base))
      return undefined;
    const names = [first, ...others];
    if (!names.every(ts.isStringLiteralLike)) return undefined;
    const path = `./${posix.join(...names.map(({ text }) => text))}`;
    return { node, path, ...this.#makeTextRange(first, others.at(-1) ?? first), base };
  }

  /** `require.resolve('./worker.js')` */
  #readRequireResolve(node: ts.CallExpression): WorkerFile | undefined {
    const [name] = node.arguments;
    if (node.expression.getText(this.#file) !== 'require.resolve') return undefined;
    if (name === undefined || !ts.isStringLiteralLike(name) || !name.text.startsWith('.')) return undefined;
    return { node, path: name.text, ...this.#makeTextRange(name, name) };
  }

  /** `__dirname + '/worker.js'` */
  #readConcatenation(node: ts.BinaryExpression): WorkerFile | undefined {
    const { left: base, right: name, operatorToken } = node;
    const isSum = operatorToken.kind === ts.SyntaxKind.PlusToken && this.#isOwnFolderExpression(base);
    if (!isSum || !ts.isStringLiteralLike(name) || !name.text.startsWith('/')) return undefined;
    const { text, print } = this.#makeTextRange(name, name);
    return { node, path: `.${name.text}`, text, print: (path) => print(addLeadingSlash(path)), base };
  }

  #readTemplateLiteral(node: ts.TemplateExpression): WorkerFile | undefined {
    const [span, ...more] = node.templateSpans;
    if (span === undefined || more.length > 0 || node.head.text !== '') return undefined;
    const { expression: base, literal } = span;
    if (!literal.text.startsWith('/') || !this.#isOwnFolderExpression(base)) return undefined;
    const text = { start: literal.getStart(this.#file) + 1, end: literal.getEnd() - 1 };
    return { node, path: `.${literal.text}`, text, print: addLeadingSlash, base };
  }

  #makeTextRange(first: ts.Node, last: ts.Node): Pick<WorkerFile, 'text' | 'print'> {
    const text = { start: first.getStart(this.#file), end: last.getEnd() };
    return { text, print: (path) => `'${path}'` };
  }

  /** `__dirname`, `import.meta.dirname`, or a constant with one of these. */
  #isOwnFolderExpression(node: ts.Expression): boolean {
    const value = this.#followConstant(node);
    if (ts.isIdentifier(value)) return value.text === '__dirname';
    if (ts.isCallExpression(value)) return isCallTo('dirname', value, isOwnFileExpression);
    return isImportMeta(value, 'dirname');
  }
}

/** Prints the path as it follows the name of a folder. */
function addLeadingSlash(path: string): string {
  return path.replace(/^(?:\.\/)?/, '/');
}

function isWorker(made: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(made) ? made.name : made;
  return ts.isIdentifier(name) && name.text === 'Worker';
}
