import type { Origin } from '../model/origin.ts';
import type { DiagnosticDefinition } from './define.ts';
import type { Diagnostic, RelatedPlace } from './diagnostic.ts';
import { type DiagnosticName, type ParametersOf, registry } from './registry.ts';
import { definedMembers } from '../util/defined-members.ts';

export interface Place {
  at?: Origin | undefined;
  related?: RelatedPlace[];
}

/** Gathers the problems of one run, so that all are reported together. */
export class DiagnosticCollector {
  readonly #found: (Diagnostic | DiagnosticCollector)[] = [];

  /** Everything reported so far, in order. */
  get found(): readonly Diagnostic[] {
    return this.#found.flatMap((each) => (each instanceof DiagnosticCollector ? each.found : [each]));
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
export function withoutRepeats(
  found: readonly Diagnostic[],
  later: readonly Diagnostic[],
): readonly Diagnostic[] {
  const isNew = ({ origin, code, message }: Diagnostic): boolean =>
    origin !== undefined || !found.some((each) => each.code === code && each.message === message);
  return [...found, ...later.filter(isNew)];
}

/** Makes a diagnostic from its entry in the registry. */
export function createDiagnostic<N extends DiagnosticName>(
  name: N,
  parameters: ParametersOf<N>,
  { at, related }: Place = {},
): Diagnostic {
  const { code, severity, message, hint } = registry[name] as unknown as DiagnosticDefinition<
    ParametersOf<N>
  >;
  const words = typeof hint === 'function' ? hint(parameters) : hint;
  return {
    code,
    name,
    severity,
    message: message(parameters),
    ...definedMembers({ hint: words, origin: at, related }),
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
