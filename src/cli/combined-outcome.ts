/** The outcomes of the servers of one configuration, as one. */
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';
import type { Places } from '../diagnostics/render/place.ts';

export interface ServerOutcome {
  /** Absent if the configuration has one server, or could not be read. */
  server?: string | undefined;
  outcome: Outcome;
}

/** A single outcome stays as it is; several are listed by server. `isNamed`: a text of one line names its server already. */
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
    document: documents.every(([, document]) => document !== undefined)
      ? { servers: Object.fromEntries(documents) }
      : undefined,
    annotations: outcomes.map(({ annotations = '' }) => annotations).join(''),
    text: all.map((each) => withHeading(each, host, isNamed)).join(''),
    next: outcomes.map(({ next = '' }) => next).join(''),
    closing: failed.length === 0 ? undefined : `Nothing was written for ${failed.join(' and ')}.`,
  };
}

function withHeading(
  { server = '', outcome: { text = '' } }: ServerOutcome,
  { stdout }: Host,
  isNamed: boolean,
): string {
  const isLine = text.indexOf('\n') === text.length - 1;
  return text === '' || (isLine && isNamed) ? text : `${stdout.paint('bold', server)}:\n${text}`;
}

function chained(all: readonly Places[]): Places {
  return {
    locate: (origin) => findFirst(all, ({ locate }) => locate(origin)),
    textOf: (file) => findFirst(all, ({ textOf }) => textOf(file)),
  };
}

function findFirst<T>(all: readonly Places[], find: (places: Places) => T | undefined): T | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
