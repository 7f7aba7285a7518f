/** Selects places by JSONPath (RFC 9535), with json-p3. */
import type { jsonpath } from 'json-p3';
import { OverlayMisfit, OverlayTooCostly } from './overlay.ts';
import { QueryBudget, type QueryLimits } from './query-budget.ts';

export type Way = readonly (string | number)[];

export interface Place {
  way: Way;
  value: unknown;
}

/** Limit of places that one query may select. */
const MOST = 1_000_000;

export class Selector {
  readonly #environment: jsonpath.JSONPathEnvironment;
  readonly #budget: QueryBudget;

  static async create(depth: number, limits: QueryLimits): Promise<Selector> {
    const { jsonpath } = await import('json-p3');
    const environment = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: depth + 1 });
    return new Selector(environment, new QueryBudget(limits));
  }

  private constructor(environment: jsonpath.JSONPathEnvironment, budget: QueryBudget) {
    this.#environment = environment;
    this.#budget = budget;
    budget.functions(environment.functionRegister);
  }

  /**
   * Every place once, in the order of the query.
   *
   * @throws OverlayMisfit for a query that is none, or selects too much; OverlayTooCostly for one that takes too much work.
   */
  select(query: string, value: unknown): Place[] {
    const places = new Map<string, Place>();
    try {
      const compiled = this.#environment.compile(query);
      this.#budget.watch(compiled);
      // Parsed JSON and YAML are JSON values.
      for (const node of compiled.lazyQuery(value as never)) {
        places.set(JSON.stringify(node.location), { way: node.location, value: node.value });
        if (places.size > MOST) throw new OverlayTooCostly(`the query selects more than ${MOST} places`);
      }
    } catch (error) {
      if (error instanceof OverlayMisfit) throw error;
      throw new OverlayMisfit(`the query ${query} is not JSONPath: ${formatMessage(error)}`);
    }
    return [...places.values()];
  }
}

/** Removes the position that json-p3 appends. */
function formatMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \('.*':\d+\)$/s, '');
}
