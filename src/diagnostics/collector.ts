/** A problem of the user's input, as a value. Bugs of mcpgen are thrown instead. */
import type { CodeOrigin, Origin } from '../model/origin.ts';
import { omitUndefined } from '../util/collections.ts';
import type { DiagnosticDefinition, Severity } from './define.ts';
import { type DiagnosticName, type ParametersOf, registry } from './registry.ts';

export interface Diagnostic {
  /** Permanent: `MCPG101`. */
  code: string;
  /** Permanent and readable: `unreadable-file`. */
  name: DiagnosticName;
  severity: Severity;
  /** A warning that `--strict` made an error. */
  raised?: boolean;
  /** The problem and its effect, in full sentences. */
  message: string;
  hint?: string;
  /** Absent if the problem has no place in a source (a flag, the target folder). */
  origin?: Origin;
  related?: RelatedPlace[];
  server?: string;
}

export interface RelatedPlace {
  message: string;
  origin: Origin;
}

interface Place {
  at?: Origin | undefined;
  related?: RelatedPlace[];
}

export class DiagnosticCollector {
  readonly #found: (Diagnostic | DiagnosticCollector)[] = [];

  get found(): readonly Diagnostic[] {
    return this.#found.flatMap((entry) => (entry instanceof DiagnosticCollector ? entry.found : [entry]));
  }

  get hasErrors(): boolean {
    return this.found.some(({ severity }) => severity === 'error');
  }

  /** Adds the diagnostics of `other` at this position, including later ones. */
  include(other: DiagnosticCollector): void {
    this.#found.push(other);
  }

  report<N extends DiagnosticName>(name: N, parameters: ParametersOf<N>, place: Place = {}): void {
    this.add(createDiagnostic(name, parameters, place));
  }

  add(diagnostic: Diagnostic): void {
    this.#found.push(diagnostic);
  }
}

/** Joins the diagnostics of two steps. A problem without a place that both have found is kept once. */
export function joinWithoutRepeats(
  firstDiagnostics: readonly Diagnostic[],
  secondDiagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const isNew = ({ origin, code, message }: Diagnostic): boolean =>
    origin !== undefined ||
    !firstDiagnostics.some((diagnostic) => diagnostic.code === code && diagnostic.message === message);
  return [...firstDiagnostics, ...secondDiagnostics.filter(isNew)];
}

export function createDiagnostic<N extends DiagnosticName>(
  name: N,
  parameters: ParametersOf<N>,
  { at, related }: Place = {},
): Diagnostic {
  const { code, severity, message, hint } = registry[name] as unknown as DiagnosticDefinition<
    ParametersOf<N>
  >;
  const hintText = typeof hint === 'function' ? hint(parameters) : hint;
  return {
    code,
    name,
    severity,
    message: message(parameters),
    ...omitUndefined({ hint: hintText, origin: at, related }),
  };
}

/** Carries diagnostics through a `throw` if they cannot be returned. It is no bug. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(...diagnostics: Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** Sorts the diagnostics of each file of code by place. They only change places with each other: the order of files stays. */
export function sortByPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const ofCode = diagnostics.filter(isOfCode);
  const files = new Set(ofCode.map(({ origin }) => origin.file));
  const queues = new Map(
    [...files].map((file) => [
      file,
      ofCode
        .filter(({ origin }) => origin.file === file)
        .sort(({ origin: a }, { origin: b }) => a.line - b.line || a.column - b.column)
        .values(),
    ]),
  );
  return diagnostics.map(
    (diagnostic) =>
      (isOfCode(diagnostic) ? queues.get(diagnostic.origin.file)?.next().value : undefined) ?? diagnostic,
  );
}

type OfCode = Diagnostic & { origin: CodeOrigin };

function isOfCode(diagnostic: Diagnostic): diagnostic is OfCode {
  return diagnostic.origin?.kind === 'code';
}

/** A warning becomes an error, as with `--strict`. */
export function raiseWarning(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error', raised: true } : diagnostic;
}

/** Awaits all, in order. Where some throw `DiagnosticError`, one error with the diagnostics of all is thrown. */
export async function awaitAllDiagnostics<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(all);
  const problems = settled.flatMap((result) =>
    result.status === 'rejected' && result.reason instanceof DiagnosticError ? result.reason.diagnostics : [],
  );
  if (problems.length > 0) throw new DiagnosticError(...problems);
  return Promise.all(all);
}
