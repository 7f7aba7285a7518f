import type { jsonpath } from 'json-p3';

import { compilePattern } from '../../../../templates/runtime/validate.ts';
import { makePatternTest } from '../../../util/check-values.ts';
import { classifyPattern } from '../../../util/classify-pattern.ts';
import { OverlayMisfit } from './read-overlay.ts';

export type ValuePath = readonly (string | number)[];

export interface SelectedPlace {
  path: ValuePath;
  value: unknown;
}

/** Returns the places that a JSONPath query selects, each once. @throws OverlayMisfit for text that is no query */
export type SelectPlaces = (query: string, value: unknown) => SelectedPlace[];

const MAX_PLACES = 1_000_000;

export async function openPlaceSelector(maxRecursionDepth: number): Promise<SelectPlaces> {
  const { jsonpath } = await import('json-p3');
  const environment = new jsonpath.JSONPathEnvironment({ maxRecursionDepth });
  runPatternsInLinearTime(environment);
  return (query, value) => {
    const places = new Map<string, SelectedPlace>();
    try {
      // Parsed JSON and YAML are JSON values.
      for (const node of environment.compile(query).lazyQuery(value as never)) {
        places.set(JSON.stringify(node.location), { path: node.location, value: node.value });
        if (places.size > MAX_PLACES)
          throw new OverlayMisfit(`the query selects more than ${MAX_PLACES} places`);
      }
    } catch (error) {
      if (error instanceof OverlayMisfit) throw error;
      const message = error instanceof Error ? error.message : String(error);
      // json-p3 appends the query and a position: ` ('$.a':3)`.
      throw new OverlayMisfit(
        `the query ${query} is not JSONPath: ${message.replace(/ \('.*':\d+\)$/s, '')}`,
      );
    }
    return [...places.values()];
  };
}

/** json-p3 runs the patterns of `match` and `search` (RFC 9535, section 2.4) with the engine, which may backtrack for hours. */
function runPatternsInLinearTime({ functionRegister }: jsonpath.JSONPathEnvironment): void {
  for (const name of ['match', 'search']) {
    const libraryFunction = functionRegister.get(name);
    if (libraryFunction === undefined) continue;
    const { argTypes, returnType } = libraryFunction;
    functionRegister.set(name, {
      argTypes,
      returnType,
      call: (text: unknown, pattern: unknown) => {
        if (typeof text !== 'string' || typeof pattern !== 'string') return false;
        const source = name === 'match' ? `^(?:${pattern})$` : pattern;
        const expression = compilePattern(source);
        // One that is no regular expression matches everything.
        if (expression === undefined) return true;
        if (classifyPattern(source) === 'unsafe')
          throw new OverlayMisfit(`the pattern ${pattern} cannot be matched without backtracking`);
        return makePatternTest(source)?.(text, () => undefined) ?? expression.test(text);
      },
    });
  }
}
