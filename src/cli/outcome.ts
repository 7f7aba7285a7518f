/** The result of a command; `present` prints it. */
import { resolve } from 'node:path';

import { readFileIfAny } from '../util/read-file.ts';
import type { ReportOptions } from '../config/options/option-types.ts';
import type { Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import type { SourceTexts } from '../diagnostics/locate/text-places.ts';
import { type Places, noPlaces } from '../diagnostics/render/place.ts';
import type { FileDiff } from '../write/index.ts';
import type { Host } from './host.ts';

export interface Outcome {
  exitCode: number;
  diagnostics: readonly Diagnostic[];
  /** Finds the positions of the diagnostics' origins. */
  places: Places;
  /** `result` of the JSON document. */
  result: unknown;
  /** With `--json` and success: printed bare, in place of the document with `result`. */
  document?: unknown;
  /** Workflow commands of GitHub Actions, printed before `text`, each on a line. */
  annotations?: string | undefined;
  /** The result for a person, on stdout; ends in a line break. */
  text?: string | undefined;
  /** Diffs of the edited files because of which nothing was written, shown after the errors. */
  edits?: readonly FileDiff[] | undefined;
  /** A sentence after the count of problems. */
  closing?: string | undefined;
  /** Printed on stderr after the result. */
  next?: string | undefined;
}

/** The exit codes scripts rely on; `mcpgen --help` documents them. */
export const EXIT = {
  fine: 0,
  /** Errors found, or output stale. */
  errors: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** A bug in mcpgen (`EX_SOFTWARE` of sysexits). */
  bug: 70,
  /** Stopped by Ctrl-C: 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** Errors of usage and configuration (`MCPG6xx`) outrank others, since they are found first. */
export function exitCodeFor(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return EXIT.fine;
  return errors.some(({ code }) => code.startsWith('MCPG6')) ? EXIT.usage : EXIT.errors;
}

/** Loads the search for positions only if a diagnostic needs one. */
async function loadPlaceFinder(diagnostics: readonly Diagnostic[], texts: SourceTexts): Promise<Places> {
  if (!diagnostics.some(({ origin }) => origin !== undefined)) return noPlaces;
  const { locateOrigin: locate } = await import('../diagnostics/locate/locate.ts');
  return { locate: (origin) => locate(texts, origin), textOf: (file) => texts.textOf(file) };
}

/** Adds the texts of modules and configurations that diagnostics point into, read again for their code frames. */
export function addCodeTexts(places: Places, diagnostics: readonly Diagnostic[], cwd: string): Places {
  const files = new Set(diagnostics.flatMap(({ origin }) => (origin?.kind === 'code' ? [origin.file] : [])));
  if (files.size === 0) return places;
  const code = new Map([...files].map((file) => [file, readFileIfAny(resolve(cwd, file))]));
  return { ...places, textOf: (file) => places.textOf(file) ?? code.get(file) };
}

/** Makes the outcome of a command that ended before a source was read. */
export function outcomeWithoutSource({ found }: DiagnosticCollector): Outcome {
  return { exitCode: exitCodeFor(found), diagnostics: found, places: noPlaces, result: null };
}

/** Makes the outcome of a command that read sources, without a result yet. */
export async function outcomeOfDiagnostics(
  list: readonly Diagnostic[],
  texts: SourceTexts,
): Promise<Outcome> {
  const places = await loadPlaceFinder(list, texts);
  return { exitCode: exitCodeFor(list), diagnostics: list, places, result: null };
}

export function successOutcome(result: unknown, text?: string, next?: string): Outcome {
  return { exitCode: EXIT.fine, diagnostics: [], places: noPlaces, result, text, next };
}

export interface CommandContext {
  host: Host;
  finish: (outcome: Outcome, flags: ReportOptions) => void;
  /** Receives the output of `--help` and `--version`. */
  tell: (text: string) => void;
}

export interface ServerOutcome {
  /** Absent if the configuration has one server, or could not be read. */
  server?: string | undefined;
  outcome: Outcome;
}

/**
 * Combines the outcomes of the servers of one configuration. A single outcome stays as it is; several are listed by server.
 * `isNamed`: a text of one line names its server already.
 */
export function combineOutcomes(all: readonly ServerOutcome[], host: Host, isNamed = false): Outcome {
  const [first] = all;
  if (first === undefined) throw new Error('There is no outcome to show.');
  if (all.length === 1) return first.outcome;
  const outcomes = all.map(({ outcome }) => outcome);
  const documents = all.map(({ server = '', outcome }) => [server, outcome.document] as const);
  const failed = all.flatMap(({ server = '', outcome }) => (outcome.closing === undefined ? [] : [server]));
  return {
    exitCode: Math.max(...outcomes.map(({ exitCode }) => exitCode)),
    diagnostics: all.flatMap(({ server, outcome: { diagnostics } }) =>
      diagnostics.map((diagnostic) => (server === undefined ? diagnostic : { ...diagnostic, server })),
    ),
    places: combinePlaces(outcomes.map(({ places }) => places)),
    result: { servers: Object.fromEntries(all.map(({ server = '', outcome }) => [server, outcome.result])) },
    document: documents.every(([, document]) => document !== undefined)
      ? { servers: Object.fromEntries(documents) }
      : undefined,
    annotations: outcomes.map(({ annotations = '' }) => annotations).join(''),
    text: all.map((outcome) => addServerHeading(outcome, host, isNamed)).join(''),
    edits: all.flatMap(({ server = '', outcome: { edits = [] } }) =>
      edits.map((edit) => ({ ...edit, path: `${server}: ${edit.path}` })),
    ),
    next: outcomes.map(({ next = '' }) => next).join(''),
    closing: failed.length === 0 ? undefined : `Nothing was written for ${failed.join(' and ')}.`,
  };
}

function addServerHeading(
  { server = '', outcome: { text = '' } }: ServerOutcome,
  { stdout }: Host,
  isNamed: boolean,
): string {
  const isLine = text.indexOf('\n') === text.length - 1;
  return text === '' || (isLine && isNamed) ? text : `${stdout.paint('bold', server)}:\n${text}`;
}

function combinePlaces(all: readonly Places[]): Places {
  return {
    locate: (origin) => findInPlaces(all, ({ locate }) => locate(origin)),
    textOf: (file) => findInPlaces(all, ({ textOf }) => textOf(file)),
  };
}

function findInPlaces<T>(all: readonly Places[], find: (places: Places) => T | undefined): T | undefined {
  for (const places of all) {
    const match = find(places);
    if (match !== undefined) return match;
  }
  return undefined;
}
