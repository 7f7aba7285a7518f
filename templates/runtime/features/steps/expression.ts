// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The expressions of steps: a text → a tree. References end in a tail of RFC 9535, without `..`, `match` and `search`. */
import { parseJson } from '../../json-rpc.ts';
import type { Json } from '../../types.ts';
import { nearest } from '../../validate.ts';

/** `status` is that of the answer which `expect` looks at. */
const ROOTS = ['inputs', 'item', 'steps', 'status'] as const;
const FUNCTIONS = ['length', 'sum', 'min', 'max', 'first', 'join', 'unique'];
/** Also in filters (RFC 9535, section 2.4). */
const FILTER_FUNCTIONS = [...FUNCTIONS, 'count', 'value'];

export type Selector =
  | { kind: 'name'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'slice'; start: number | undefined; end: number | undefined; step: number }
  | { kind: 'wildcard' }
  | { kind: 'filter'; test: Expression };

export interface Reference {
  kind: 'reference';
  /** `@` is the item that a filter looks at. */
  root: (typeof ROOTS)[number] | '@';
  /** Of the root `steps`. */
  step: string;
  /** The selectors of each pair of brackets. */
  segments: readonly (readonly Selector[])[];
}
export type Expression =
  | Reference
  | { kind: 'literal'; value: Json }
  | { kind: 'call'; name: string; args: readonly Expression[] }
  | { kind: 'not'; operand: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression };

/** Characters of an expression, and parentheses, filters and functions inside one another. */
const [MAX_CHARACTERS, MAX_DEPTH] = [2_000, 20];

export class SyntaxFault extends Error {}

/** A condition, or else a reference or a call of a function. @throws {SyntaxFault} */
export function parseExpression(text: string, isCondition: boolean): Expression {
  return new Parser(text).parse(isCondition);
}

/** Whether it gives one value at most; any other reference gives a list. */
export function isSingular(expression: Expression): boolean {
  if (expression.kind !== 'reference') return true;
  return expression.segments.every(
    ([selector, ...others]) =>
      others.length === 0 && (selector?.kind === 'name' || selector?.kind === 'index'),
  );
}

const NAME = /[A-Za-z_\u{80}-\u{d7ff}\u{e000}-\u{10ffff}][\w\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]*/uy;
const WORD = /[A-Za-z_]\w*/y;
const INTEGER = /0|-?[1-9]\d*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const TEXT = /"(?:[^"\\\0-\x1f]|\\.)*"|'(?:[^'\\\0-\x1f]|\\.)*'/y;
const COMPARISON = /[=!]=|[<>]=?/y;
const BLANKS = /[ \t\n\r]*/y;

/** Reads each character once, from left to right. Blanks may stand between all parts. */
class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** Filters around the place that is read. */
  #filters = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(isCondition: boolean): Expression {
    if (this.#text.length > MAX_CHARACTERS)
      throw new SyntaxFault(`an expression has ${MAX_CHARACTERS} characters at most`);
    this.#take('');
    const expression = isCondition ? this.#or() : this.#primary();
    if (this.#at < this.#text.length) throw this.#fault('the end of the expression');
    return expression;
  }

  #or(): Expression {
    return this.#chain('||', () => this.#chain('&&', () => this.#basic()));
  }

  #chain(operator: string, next: () => Expression): Expression {
    let left = next();
    while (this.#take(operator)) left = { kind: 'binary', operator, left, right: next() };
    return left;
  }

  #basic(): Expression {
    if (this.#take('!')) return { kind: 'not', operand: this.#take('(') ? this.#group() : this.#primary() };
    if (this.#take('(')) return this.#group();
    const left = this.#primary();
    const operator = this.#match(COMPARISON);
    if (operator === undefined) return left;
    const right = this.#primary();
    if (!isSingular(left) || !isSingular(right))
      throw new SyntaxFault('a comparison takes single values, and a list has many: use $first or $length');
    return { kind: 'binary', operator, left, right };
  }

  #group(): Expression {
    const expression = this.#inside(() => this.#or());
    this.#expect(')');
    return expression;
  }

  /** A reference, a function or a literal. */
  #primary(): Expression {
    const text = this.#match(TEXT);
    if (text !== undefined) return { kind: 'literal', value: readText(text) };
    const number = this.#match(NUMBER);
    if (number !== undefined) return { kind: 'literal', value: parseJson(number) as Json };
    if (this.#filters > 0 && this.#take('@'))
      return { kind: 'reference', root: '@', step: '', segments: this.#segments() };
    const isMarked = this.#take('$');
    const word = this.#match(WORD);
    if (word === undefined) throw this.#fault('a value');
    if (this.#take('(')) return this.#call(word);
    if (!isMarked && /^(?:true|false|null)$/.test(word))
      return { kind: 'literal', value: JSON.parse(word) as Json };
    const root = ROOTS.find((name) => name === word);
    if (!isMarked || root === undefined)
      throw new SyntaxFault(
        `\`${isMarked ? '$' : ''}${word}\` is nothing that can be referred to. Did you mean $${nearest(word, ROOTS) ?? 'steps'}? $$ begins a text with $`,
      );
    const step = root === 'steps' && this.#take('.') ? (this.#match(WORD) ?? '') : '';
    if (root === 'steps' && step === '') throw this.#fault('the id of a step after `$steps.`');
    return { kind: 'reference', root, step, segments: this.#segments() };
  }

  #call(word: string): Expression {
    const names = this.#filters > 0 ? FILTER_FUNCTIONS : FUNCTIONS;
    if (!names.includes(word))
      throw new SyntaxFault(
        `there is no function ${word} (no regular expression is run): there are ${names.join(', ')}`,
      );
    const args = this.#list(() => this.#primary(), ')');
    if (args.length > (word === 'join' ? 2 : 1)) throw new SyntaxFault(`${word} has too many arguments`);
    return { kind: 'call', name: word, args };
  }

  #segments(): Selector[][] {
    const segments: Selector[][] = [];
    for (;;) {
      if (this.#text.startsWith('..', this.#at))
        throw new SyntaxFault('`..` is left out: name the members, or use `*`');
      if (this.#take('[')) segments.push(this.#list(() => this.#selector(), ']'));
      else if (this.#take('.')) segments.push([this.#member()]);
      else return segments;
    }
  }

  #member(): Selector {
    if (this.#take('*')) return { kind: 'wildcard' };
    const name = this.#match(NAME);
    if (name !== undefined) return { kind: 'name', name };
    throw this.#fault("the name of a member (others than letters and digits: ['the-name'])");
  }

  #selector(): Selector {
    const text = this.#match(TEXT);
    if (text !== undefined) return { kind: 'name', name: readText(text) };
    if (this.#take('*')) return { kind: 'wildcard' };
    if (this.#take('?')) {
      this.#filters++;
      const test = this.#inside(() => this.#or());
      this.#filters--;
      return { kind: 'filter', test };
    }
    const start = this.#integer();
    if (!this.#take(':')) {
      if (start === undefined) throw this.#fault('an index, a name in quotes, `*`, a slice or `?`');
      return { kind: 'index', index: start };
    }
    const end = this.#integer();
    const step = this.#take(':') ? this.#integer() : undefined;
    return { kind: 'slice', start, end, step: step ?? 1 };
  }

  #integer(): number | undefined {
    const text = this.#match(INTEGER);
    return text === undefined ? undefined : Number(text);
  }

  #list<T>(read: () => T, end: string): T[] {
    const items: T[] = [];
    do items.push(this.#inside(read));
    while (this.#take(','));
    this.#expect(end);
    return items;
  }

  #inside<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw new SyntaxFault(`at most ${MAX_DEPTH} brackets are inside one another`);
    const value = read();
    this.#depth--;
    return value;
  }

  /** Takes what comes next, and the blanks behind it. */
  #match(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const text = form.exec(this.#text)?.[0];
    return text !== undefined && this.#take(text) ? text : undefined;
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    BLANKS.lastIndex = this.#at + token.length;
    BLANKS.test(this.#text);
    this.#at = BLANKS.lastIndex;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#fault(`\`${token}\``);
  }

  #fault(expected: string): SyntaxFault {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    return new SyntaxFault(
      `expected ${expected} at character ${this.#at + 1}${rest === '' ? ', where the text ends' : `: ${rest}`}`,
    );
  }
}

/** Escapes are those of JSON, and `\'` in single quotes (RFC 9535, section 2.3.1). */
function readText(literal: string): string {
  const inDoubleQuotes = literal
    .slice(1, -1)
    .replace(/\\.|"/g, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part));
  try {
    return JSON.parse(literal.startsWith('"') ? literal : `"${inDoubleQuotes}"`) as string;
  } catch {
    throw new SyntaxFault(`${literal} has an escape that JSON does not have`);
  }
}
