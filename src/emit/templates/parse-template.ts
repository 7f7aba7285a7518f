/** Parses a user's template. Fields are looked up by mcpgen's own helpers, which know the place and find only own members of a view. */
import type { ICompiler, parse } from 'handlebars';

import { type LineColumn, toLineColumn } from '../../util/text-lines.ts';
import { TemplateError, toTemplateError, placeOf, addSuggestion } from './template-faults.ts';

type NodeOf<K extends keyof ICompiler> = NonNullable<Parameters<ICompiler[K]>[0]>;
type Node = NodeOf<'accept'>;
type Path = NodeOf<'PathExpression'>;
type Call = Pick<NodeOf<'SubExpression'>, 'path' | 'params' | 'hash' | 'loc'>;

/** The helper that looks up a field. No template can call these helpers, since it cannot contain a name with a bracket. */
export const FIELD = 'field]';
/** The helper that writes a value out; its second argument is the value's name, for messages. */
export const TEXT = 'text]';
/** The helper that looks up a data variable, such as `@index`. */
export const DATA = 'data]';
export const PARTIAL = 'partial]';
/** The helper that the block of a field, `{{#field}}`, becomes. */
export const BLOCK = 'block]';

export interface ParsedTemplate {
  program: Program;
  /** The partials that the template names, in order. */
  uses: { name: string; at: LineColumn }[];
  inline: string[];
  faults: TemplateError[];
  isUnread?: true;
}

export function parseTemplate(
  source: string,
  language: Language,
  helpers: readonly string[],
): ParsedTemplate {
  const program = parseProgram(source, language);
  if (program instanceof TemplateError)
    return { program: language.parse(''), uses: [], inline: [], faults: [program], isUnread: true };
  const rewriting = new Rewriting(helpers);
  rewriting.rewriteProgram(program);
  const { uses, inline, faults } = rewriting;
  return { program, uses, inline, faults };
}

/** Built-in blocks that take exactly one value; Handlebars reports another number without a place. */
const ONE_VALUE: ReadonlySet<string> = new Set(['if', 'unless', 'each', 'with']);

class Rewriting {
  readonly uses: ParsedTemplate['uses'] = [];
  readonly inline: string[] = [];
  readonly faults: TemplateError[] = [];
  readonly #helpers: readonly string[];
  /** Parameters of blocks: `tool` in `{{#each tools as |tool|}}`. */
  #scope: string[] = [];

  constructor(helpers: readonly string[]) {
    this.#helpers = helpers;
  }

  rewriteProgram(program: Program | undefined): void {
    if (program === undefined) return;
    const outer = this.#scope;
    this.#scope = [...outer, ...(program.blockParams ?? [])];
    for (const statement of program.body) this.#rewriteStatement(statement);
    this.#scope = outer;
  }

  #rewriteStatement(node: Node): void {
    if (isNode(node, 'MustacheStatement')) this.#rewriteMustache(node);
    else if (isNode(node, 'BlockStatement')) this.#rewriteBlock(node);
    else if (isNode(node, 'PartialStatement') || isNode(node, 'PartialBlockStatement'))
      this.#notePartial(node);
    else if (isNode(node, 'DecoratorBlock')) this.#checkDecorator(node);
    else if (isNode(node, 'Decorator')) this.faults.push(decoratorError(node));
  }

  #rewriteMustache(node: NodeOf<'MustacheStatement'>): void {
    const { path } = node;
    const name = isNode(path, 'PathExpression') ? path : pathOfLiteral(path);
    const isOfHelper = isCall(node) || this.#isHelper(name);
    if (isOfHelper) this.#checkAndRewriteCall({ ...node, path: name }, node);
    const value = isOfHelper ? toSubExpression(node, name) : this.#makeFieldLookup(name);
    const params = [value ?? name, literalNode(name.original, node)];
    Object.assign(node, { path: helperPath(TEXT, node), params, hash: undefined });
  }

  #rewriteBlock(node: NodeOf<'BlockStatement'>): void {
    const name = isNode(node.path, 'PathExpression') ? node.path : pathOfLiteral(node.path);
    if (isCall(node) || this.#isHelper(name)) {
      if (ONE_VALUE.has(name.original) && node.params.length !== 1)
        this.faults.push(
          new TemplateError(
            `{{#${name.original}}} takes one value, and is given ${node.params.length}.`,
            placeOf(node.loc),
          ),
        );
      this.#checkAndRewriteCall({ ...node, path: name }, node);
    } else {
      const field = this.#makeFieldLookup(name);
      if (field !== undefined) Object.assign(node, { path: helperPath(BLOCK, node), params: [field] });
    }
    this.rewriteProgram(node.program);
    this.rewriteProgram(node.inverse);
  }

  #checkAndRewriteCall(call: Call, within: Pick<Call, 'params' | 'hash'>): void {
    const name = call.path.original;
    if (!this.#isHelper(call.path)) {
      const words = addSuggestion(`there is no helper ${name}`, name, this.#helpers);
      this.faults.push(new TemplateError(words, placeOf(call.loc)));
    }
    this.#rewriteArguments(within);
  }

  #rewriteArguments(node: Pick<Call, 'params' | 'hash'>): void {
    node.params = node.params.map((each) => this.#rewriteExpression(each));
    for (const pair of node.hash?.pairs ?? []) pair.value = this.#rewriteExpression(pair.value);
  }

  #rewriteExpression(node: Node): Node {
    if (isNode(node, 'SubExpression')) this.#checkAndRewriteCall(node, node);
    return isNode(node, 'PathExpression') ? (this.#makeFieldLookup(node) ?? node) : node;
  }

  #notePartial(node: NodeOf<'PartialStatement'> | NodeOf<'PartialBlockStatement'>): void {
    const { name } = node;
    // `{{#> name}}` renders its own block if the partial does not exist.
    const isNeeded = isNode(node, 'PartialStatement');
    if (isNode(name, 'SubExpression')) {
      this.#checkAndRewriteCall(name, name);
      if (isNeeded) node.name = callNode(PARTIAL, [name], name);
    } else if (isNeeded && name.original !== '@partial-block')
      this.uses.push({ name: name.original, at: placeOf(node.loc) });
    this.#rewriteArguments(node);
    if (isNode(node, 'PartialBlockStatement')) this.rewriteProgram(node.program);
  }

  #checkDecorator(node: NodeOf<'DecoratorBlock'>): void {
    const [name] = node.params;
    if (node.path.original !== 'inline') this.faults.push(decoratorError(node));
    if (name !== undefined && isNode(name, 'StringLiteral')) this.inline.push(name.value);
    this.rewriteProgram(node.program);
  }

  #isHelper({ original }: Path): boolean {
    return this.#helpers.includes(original);
  }

  /** Returns `undefined` if the path names a whole value instead of a field: `this`, `..`, or the parameter of a block. */
  #makeFieldLookup(path: Path): NodeOf<'SubExpression'> | undefined {
    const isNamed = !path.data && path.depth === 0 && this.#scope.includes(path.parts[0] ?? '');
    const count = isNamed && !/^(\.|this\b)/.test(path.original) ? 1 : 0;
    const names = path.parts.slice(count);
    if (names.length === 0) return undefined;
    // Handlebars gives a call the place of its whole tag, so the place of the path is passed as arguments.
    const { line, column } = placeOf(path.loc);
    const makeLiteralArguments = (values: (string | number)[]): Node[] =>
      values.map((value) => literalNode(value, path));
    const base: Path = { ...path, parts: path.parts.slice(0, count) };
    return path.data
      ? callNode(DATA, makeLiteralArguments([line, column, path.depth, ...names]), path)
      : callNode(
          FIELD,
          [...makeLiteralArguments([line, column]), base, ...makeLiteralArguments(names)],
          path,
        );
  }
}

function literalNode(
  value: string | number,
  { loc }: Node,
): NodeOf<'StringLiteral'> | NodeOf<'NumberLiteral'> {
  return typeof value === 'string'
    ? { type: 'StringLiteral', value, original: value, loc }
    : { type: 'NumberLiteral', value, original: value, loc };
}

function isNode<K extends keyof ICompiler>(node: Node, type: K): node is NodeOf<K> {
  return node.type === type;
}

function isCall({ params, hash }: Pick<Call, 'params' | 'hash'>): boolean {
  return params.length > 0 || (hash as Call['hash'] | undefined) !== undefined;
}

function decoratorError({ path, loc }: Pick<NodeOf<'Decorator'>, 'path' | 'loc'>): TemplateError {
  const name = isNode(path, 'PathExpression') ? path.original : '';
  return new TemplateError(`there is no decorator ${name}; only inline is one.`, placeOf(loc));
}

/** `{{"a field"}}` is a field too. */
function pathOfLiteral(literal: Node): Path {
  const { original } = literal as Node & { original?: unknown };
  const name = String(original);
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc: literal.loc };
}

function helperPath(name: string, { loc }: Node): Path {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc };
}

function toSubExpression(
  { params, hash, loc }: NodeOf<'MustacheStatement'>,
  path: Path,
): NodeOf<'SubExpression'> {
  return { type: 'SubExpression', path, params, hash, loc };
}

function callNode(name: string, params: Node[], at: Node): NodeOf<'SubExpression'> {
  const { loc } = at;
  return {
    type: 'SubExpression',
    path: helperPath(name, at),
    params,
    hash: { type: 'Hash', pairs: [], loc },
    loc,
  };
}

export type Program = ReturnType<typeof parse>;

interface Language {
  parse: typeof parse;
  Parser?: unknown;
}

function parseProgram(source: string, { parse, Parser }: Language): Program | TemplateError {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [, kind] = /^(Parse|Lexical) error on line /.exec(error.message) ?? [];
    if (kind === undefined) return toTemplateError(error);
    const { matched, match } = readLexer(Parser);
    const isEnd = error.message.endsWith("got 'EOF'");
    const before = matched.length - match.length;
    const offset = isEnd
      ? source.trimEnd().length
      : kind === 'Parse'
        ? before
        : startOfTag(source, matched.length);
    return new TemplateError(describeSyntaxFault(kind, isEnd), toLineColumn(source, offset), {
      cause: error,
    });
  }
}

function startOfTag(source: string, offset: number): number {
  let start = source.lastIndexOf('{{', offset);
  while (source[start - 1] === '{') start -= 1;
  return Math.max(start, 0);
}

/** Handlebars' own message would name its internal tokens. */
function describeSyntaxFault(kind: string, isEnd: boolean): string {
  if (isEnd) return 'it ends where a block or a tag is still open.';
  return kind === 'Lexical'
    ? 'what begins here is never closed.'
    : 'the tag cannot be read from here, or closes what is not open.';
}

/** Returns the text that was read before the fault, and its last word. */
function readLexer(parser: unknown): { matched: string; match: string } {
  const { lexer } = Object(parser) as { lexer?: unknown };
  const { matched, match } = Object(lexer) as { matched?: unknown; match?: unknown };
  return {
    matched: typeof matched === 'string' ? matched : '',
    match: typeof match === 'string' ? match : '',
  };
}
