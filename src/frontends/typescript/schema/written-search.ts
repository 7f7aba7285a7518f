/** Bounds the questions about written types, since type arguments can make new types without end. */
import type { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import type { Bound, Scope, Written } from './written-node.ts';

/** Questions with type arguments that one place may ask. Types without them end by themselves. */
const MOST_STEPS = 3000;

/** Most questions that wait for each other's answers. */
const DEEPEST = 60;

/** A question about a written type, whose answer holds for the whole program. */
interface Question<T> {
  about: Written;
  answer?: { value: T };
  /** The answer needs more steps than a place may ask for. */
  isEndless?: boolean;
}

class Questions<T> {
  readonly #known = new Map<Written, Map<string, Question<T>>>();

  findOrAdd(about: Written, name: string): Question<T> {
    let known = this.#known.get(about);
    if (known === undefined) this.#known.set(about, (known = new Map<string, Question<T>>()));
    let question = known.get(name);
    if (question === undefined) known.set(name, (question = { about }));
    return question;
  }
}

/** Makes equal scopes, and equal written types, one object each. */
class WrittenTypes {
  readonly #scopes = new Map<string, Scope>();
  readonly #written = new Map<ts.Node, Map<Scope, Written>>();
  readonly #numbers = new Map<object, number>();

  internWritten({ node, scope }: Written): Written {
    let known = this.#written.get(node);
    if (known === undefined) this.#written.set(node, (known = new Map<Scope, Written>()));
    const given = this.internScope(scope);
    let written = known.get(given);
    if (written === undefined) known.set(given, (written = { node, scope: given }));
    return written;
  }

  internScope(scope: Scope): Scope {
    if (this.#numbers.has(scope)) return scope;
    const key = [...scope]
      .map(([symbol, given]) => `${this.#numberObject(symbol)}=${this.#print(given)}`)
      .join(';');
    const known = this.#scopes.get(key) ?? scope;
    this.#scopes.set(key, known);
    this.#numberObject(known);
    return known;
  }

  #print(given: Bound): string {
    if (given === 'unknown') return '?';
    if ('step' in given) return JSON.stringify(given.step);
    return given.map((each) => this.#numberObject(this.internWritten(each))).join(',');
  }

  #numberObject(each: object): number {
    const known = this.#numbers.get(each);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(each, number);
    return number;
  }
}

/** The next types of a written type, and what its names say. */
export interface Named {
  next: readonly Written[];
  /** The alias, interface or class that the node names. */
  symbol?: ts.Symbol | undefined;
  docs?: Docs | undefined;
}

class Known {
  readonly types = new WrittenTypes();
  readonly names = new Questions<Named | undefined>();
  readonly parts = new Questions<readonly Written[]>();
}

const programs = new WeakMap<ts.Program, Known>();

/** Answers questions about written types for one place; it gives up after too many. */
export class WrittenSearch {
  readonly program: ts.Program;
  isCut = false;
  readonly #known: Known;
  /** Questions in progress by depth. Most searches ask none that is new. */
  #open: Map<object, number> | undefined;
  #steps = 0;
  /** The outermost question in progress that was asked again. */
  #outermost = Infinity;

  constructor(program: ts.Program) {
    this.program = program;
    let known = programs.get(program);
    if (known === undefined) programs.set(program, (known = new Known()));
    this.#known = known;
  }

  internWritten(written: Written): Written {
    return this.#known.types.internWritten(written);
  }

  /** Visits each written type once, depth first. */
  walkTypes(start: Written, visit: (each: Written) => readonly Written[]): void {
    const seen = new Set<Written>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const each = this.internWritten(next);
      if (seen.has(each)) continue;
      if (!this.countStep(each)) return;
      seen.add(each);
      open.push(...visit(each).toReversed());
    }
  }

  followNameOnce(written: Written, work: (written: Written) => Named | undefined): Named | undefined {
    return this.#answerOnce(this.#known.names.findOrAdd(this.internWritten(written), ''), { next: [] }, work);
  }

  findPartsOnce(
    written: Written,
    part: string,
    work: (written: Written) => readonly Written[],
  ): readonly Written[] {
    return this.#answerOnce(this.#known.parts.findOrAdd(this.internWritten(written), part), [], work);
  }

  /** Counts a step. False if there were too many. */
  countStep({ scope }: Written): boolean {
    if (scope.size > 0) this.#steps += 1;
    if (this.#steps > MOST_STEPS) this.isCut = true;
    return !this.isCut;
  }

  /** Answers a question once for the whole program. A question that needs its own answer gets `nothing`. */
  #answerOnce<T>(question: Question<T>, nothing: T, work: (written: Written) => T): T {
    const { about, answer } = question;
    if (answer !== undefined) return answer.value;
    const open = (this.#open ??= new Map<object, number>());
    const above = open.get(question);
    if (above !== undefined) {
      this.#outermost = Math.min(this.#outermost, above);
      return nothing;
    }
    if (question.isEndless === true || open.size >= DEEPEST) this.isCut = true;
    const isFirst = this.#steps === 0;
    if (!this.countStep(about)) return nothing;
    const [depth, outermost] = [open.size, this.#outermost];
    this.#outermost = Infinity;
    open.set(question, depth);
    const value = work(about);
    open.delete(question);
    // An answer that lacks what a question further out still finds holds only here.
    const isWhole = this.#outermost >= depth;
    this.#outermost = isWhole ? outermost : Math.min(outermost, this.#outermost);
    if (this.isCut) {
      question.isEndless = isFirst;
      return nothing;
    }
    if (isWhole) question.answer = { value };
    return value;
  }
}
