/** The outcomes of the servers of one configuration, as one. */
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';
import type { Places } from '../diagnostics/render/place.ts';

export interface ServerOutcome {
  /** Absent where the configuration is of one server alone, or could not be read. */
  server?: string;
  outcome: Outcome;
}

/**
 * Of one server alone its own. With `--json` each stands under `servers` by its name. `isNamed` says that a single line tells by
 * itself whose it is.
 */
export function combinedOutcome(all: readonly ServerOutcome[], host: Host, isNamed = false): Outcome {
  const [first] = all;
  if (first === undefined) throw new Error('There is no outcome to show.');
  if (all.length === 1) return first.outcome;
  const outcomes = all.map(({ outcome }) => outcome);
  const documents = all.map(({ server = '', outcome }) => [server, outcome.document] as const);
  const failed = all.flatMap(({ server = '', outcome }) => (outcome.closing === undefined ? [] : [server]));
  return {
    exitCode: Math.max(...outcomes.map(({ exitCode }) => exitCode)),
    diagnostics: all.flatMap(({ server, outcome: { diagnostics } }) =>
      diagnostics.map((each) => (server === undefined ? each : { ...each, server })),
    ),
    places: chained(outcomes.map(({ places }) => places)),
    result: { servers: Object.fromEntries(all.map(({ server = '', outcome }) => [server, outcome.result])) },
    ...(documents.some(([, document]) => document === undefined)
      ? {}
      : { document: { servers: Object.fromEntries(documents) } }),
    annotations: outcomes.map(({ annotations = '' }) => annotations).join(''),
    text: all.map((each) => textOf(each, host, isNamed)).join(''),
    next: outcomes.map(({ next = '' }) => next).join(''),
    ...(failed.length === 0 ? {} : { closing: `Nothing was written for ${failed.join(' and ')}.` }),
  };
}

function textOf(
  { server = '', outcome: { text = '' } }: ServerOutcome,
  { stdout }: Host,
  isNamed: boolean,
): string {
  const isLine = text.indexOf('\n') === text.length - 1;
  return text === '' || (isLine && isNamed) ? text : `${stdout.paint('bold', server)}:\n${text}`;
}

function chained(all: readonly Places[]): Places {
  return {
    locate: (origin) => firstOf(all, ({ locate }) => locate(origin)),
    textOf: (file) => firstOf(all, ({ textOf: read }) => read(file)),
  };
}

function firstOf<T>(all: readonly Places[], find: (places: Places) => T | undefined): T | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
