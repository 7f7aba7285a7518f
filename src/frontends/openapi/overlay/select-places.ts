import type { jsonpath } from 'json-p3';

import { ANALYSIS_STEPS } from '../../../../templates/runtime/contract/regex/analysis.ts';
import {
  classifyPattern,
  makePattern,
} from '../../../../templates/runtime/contract/regex/linear-patterns.ts';
import { OverlayMisfit, OverlayTooCostly } from './read-overlay.ts';

export type ValuePath = readonly (string | number)[];

export interface SelectedPlace {
  way: ValuePath;
  value: unknown;
}

const MOST = 1_000_000;

export class PlaceSelector {
  readonly #environment: jsonpath.JSONPathEnvironment;
  readonly #budget: QueryBudget;

  static async createSelector(depth: number, limits: QueryLimits): Promise<PlaceSelector> {
    const { jsonpath } = await import('json-p3');
    const environment = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: depth + 1 });
    return new PlaceSelector(environment, new QueryBudget(limits));
  }

  private constructor(environment: jsonpath.JSONPathEnvironment, budget: QueryBudget) {
    this.#environment = environment;
    this.#budget = budget;
    budget.replaceQueryFunctions(environment.functionRegister);
  }

  /** Returns every place once. @throws OverlayMisfit, or OverlayTooCostly for a query that is too expensive */
  selectPlaces(query: string, value: unknown): SelectedPlace[] {
    const places = new Map<string, SelectedPlace>();
    try {
      const compiled = this.#environment.compile(query);
      this.#budget.addWorkCountersToQuery(compiled);
      // Parsed JSON and YAML are JSON values.
      for (const node of compiled.lazyQuery(value as never)) {
        places.set(JSON.stringify(node.location), { way: node.location, value: node.value });
        if (places.size > MOST) throw new OverlayTooCostly(`the query selects more than ${MOST} places`);
      }
    } catch (error) {
      if (error instanceof OverlayMisfit) throw error;
      // json-p3 appends a position.
      const message = error instanceof Error ? error.message : String(error);
      throw new OverlayMisfit(
        `the query ${query} is not JSONPath: ${message.replace(/ \('.*':\d+\)$/s, '')}`,
      );
    }
    return [...places.values()];
  }
}

/** Strangers may write JSONPath queries, and nested filters multiply the work. */
interface QueryLimits {
  /** Visited values in all queries of a run; compared characters count in part. */
  steps: number;
  /** Number of values that the filters of one query hold at the same time. */
  held: number;
}

/** Makes limits that grow with the document, which queries may visit many times. */
export function queryLimits(characters: number): QueryLimits {
  return { steps: 500_000 + characters, held: 1_000_000 };
}

const CHARACTERS = 64;

type Evaluate = (...given: unknown[]) => unknown;

class QueryBudget {
  readonly #limits: QueryLimits;
  readonly #sizes = new WeakMap<object, number>();
  readonly #patternAnalysis = { steps: ANALYSIS_STEPS };
  #steps = 0;
  #held = 0;
  #filters = 0;

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  spendSteps(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#limits.steps)
      throw new OverlayTooCostly(`the queries look at more than ${this.#limits.steps} values`);
  }

  /** Makes the parts of a compiled json-p3 query count their work. */
  addWorkCountersToQuery(part: unknown): void {
    if (Array.isArray(part)) for (const each of part) this.addWorkCountersToQuery(each);
    if (typeof part !== 'object' || part === null) return;
    for (const name of ['segments', 'selectors', 'path', 'expression', 'left', 'right', 'args'])
      this.addWorkCountersToQuery(Reflect.get(part, name));
    if (Reflect.has(part, 'visit')) wrapMethod(part, 'visit', this.#countVisit);
    else if (Reflect.has(part, 'resolve')) wrapMethod(part, 'resolve', this.#countResolved);
    if (Reflect.has(part, 'resolve') && Reflect.has(part, 'expression'))
      wrapMethod(Reflect.get(part, 'expression'), 'evaluate', this.#countFilter);
    if (Reflect.has(part, 'operator') && Reflect.has(part, 'left')) this.#addCounterToComparison(part);
  }

  /** Replaces json-p3's `match`, `search` (RFC 9535, section 2.4) and `length`. */
  replaceQueryFunctions(known: Map<string, jsonpath.FilterFunction>): void {
    for (const [name, isWhole] of [
      ['match', true],
      ['search', false],
    ] as const) {
      const own = known.get(name);
      if (own === undefined) continue;
      const matchText = (text: unknown, pattern: unknown): boolean => this.#matches(text, pattern, isWhole);
      known.set(name, { argTypes: own.argTypes, returnType: own.returnType, call: matchText });
    }
    const length = known.get('length');
    if (length !== undefined)
      wrapMethod(length, 'call', (call) => (value) => {
        if (typeof value === 'string') this.spendSteps(value.length / CHARACTERS);
        return call(value);
      });
  }

  readonly #countVisit =
    (visit: Evaluate): Evaluate =>
    (...given) => {
      this.spendSteps(1);
      return visit(...given);
    };

  readonly #countResolved =
    (resolve: Evaluate): Evaluate =>
    (...given) => {
      const found = resolve(...given);
      const count = Array.isArray(found) ? found.length : 0;
      this.spendSteps(1 + count);
      if (this.#filters > 0) this.#held += count;
      if (this.#held > this.#limits.held)
        throw new OverlayTooCostly(`a filter of the query selects more than ${this.#limits.held} values`);
      return found;
    };

  readonly #countFilter =
    (evaluate: Evaluate): Evaluate =>
    (...given) => {
      this.spendSteps(1);
      this.#filters += 1;
      try {
        return evaluate(...given);
      } finally {
        this.#filters -= 1;
        if (this.#filters === 0) this.#held = 0;
      }
    };

  /** A comparison costs at most the smaller value. */
  #addCounterToComparison(part: object): void {
    let left = 0;
    wrapMethod(Reflect.get(part, 'left'), 'evaluate', (evaluate) => (...given) => {
      const value = evaluate(...given);
      left = this.#estimateValueCost(value);
      return value;
    });
    wrapMethod(Reflect.get(part, 'right'), 'evaluate', (evaluate) => (...given) => {
      const [before, value] = [left, evaluate(...given)];
      this.spendSteps(Math.min(before, this.#estimateValueCost(value)));
      return value;
    });
  }

  #estimateValueCost(value: unknown): number {
    if (typeof value === 'string') return 1 + value.length / CHARACTERS;
    if (typeof value !== 'object' || value === null) return 1;
    let size = this.#sizes.get(value);
    if (size === undefined) {
      size = 1;
      // A node list of the library keeps its values in `nodes`.
      const members: unknown = Reflect.get(value, 'nodes') ?? value;
      const own =
        Array.isArray(members) && members !== value
          ? members.map((node: { value: unknown }) => node.value)
          : Object.values(value);
      for (const member of own) size += this.#estimateValueCost(member);
      this.#sizes.set(value, size);
    }
    return size;
  }

  #matches(text: unknown, pattern: unknown, isWhole: boolean): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    this.spendSteps(1 + pattern.length / CHARACTERS);
    const source = iRegexpToRegExp(pattern, isWhole);
    if (source === undefined) return false;
    if (classifyPattern(source, this.#patternAnalysis) === 'unsafe')
      throw new OverlayTooCostly(`the pattern ${pattern} cannot be matched without backtracking`);
    return makePattern(source).test(text, this);
  }
}

function wrapMethod(owner: unknown, name: string, around: (own: Evaluate) => Evaluate): void {
  if (typeof owner !== 'object' || owner === null) return;
  const own: unknown = Reflect.get(owner, name);
  if (typeof own !== 'function') return;
  const callOriginal: Evaluate = (...given) => Reflect.apply(own, owner, given);
  Object.defineProperty(owner, name, { value: around(callOriginal), configurable: true });
}

const escape = '\\\\(?:[-()*+.?[\\\\\\]^nrt{|}$]|[pP]\\{[A-Za-z]{1,2}\\})';
/** One token of an I-Regexp (RFC 9485): no options, lazy quantifiers, or class escapes except `\p`. */
const part = new RegExp(
  `\\[(?:[^[\\]\\\\]|${escape})+\\]|${escape}|\\((?!\\?)|\\)|\\.|(?:[*+?]|\\{[0-9]+(?:,[0-9]*)?\\})(?![*+?{])|[^\\\\()[\\]{}.*+?]`,
  'uy',
);

/** Converts to ECMA-262 (RFC 9485, section 5.3); undefined for an invalid I-Regexp, which matches nothing. */
function iRegexpToRegExp(pattern: string, isWhole: boolean): string | undefined {
  let source = '';
  for (let at = 0; at < pattern.length; at = part.lastIndex) {
    part.lastIndex = at;
    const [found] = part.exec(pattern) ?? [];
    if (found === undefined) return undefined;
    source += found === '.' ? '[^\\n\\r]' : found;
  }
  const whole = isWhole ? `^(?:${source})$` : source;
  try {
    return new RegExp(whole, 'u').source;
  } catch {
    return undefined;
  }
}
