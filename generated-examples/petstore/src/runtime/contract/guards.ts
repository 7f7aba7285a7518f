// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What restricts a server. Flags, variables, the project's definition and its catalog state some of it each, and the strictest statement wins. */
import type { Limits, UpstreamLimits } from './feature.ts';

/** A statement. An absent member states nothing, and neither does `false`. */
export interface Guards {
  /** Only tools that say `readOnlyHint` are served. */
  readOnly?: boolean | undefined;
  /** The user is asked before a destructive tool runs. */
  confirm?: 'destructive' | undefined;
  /** What is served must pass each of them. */
  selectors?: readonly Selectors[] | undefined;
  /** `Infinity` for no limit. The default of a limit applies only if nothing states one. */
  limits?: Readonly<Partial<Record<LimitName, number | undefined>>> | undefined;
  /** Callers over HTTP need a token. */
  auth?: boolean | undefined;
  /** Whether calls of the API need credentials of the caller. */
  onBehalf?: 'required' | 'optional' | undefined;
}

type LimitName = keyof Limits | keyof UpstreamLimits;

export interface Selectors {
  include: readonly string[];
  exclude: readonly string[];
}

export interface StrictestGuards extends Guards {
  selectors: readonly Selectors[];
  limits: Readonly<Partial<Record<LimitName, number>>>;
}

export function chooseStrictest(...statements: readonly Guards[]): StrictestGuards {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const { limits: stated = {} } of statements)
    for (const [name, limit] of Object.entries(stated) as [LimitName, number | undefined][])
      if (limit !== undefined) limits[name] = Math.min(limit, limits[name] ?? Infinity);
  const modes = statements.map(({ onBehalf }) => onBehalf);
  return {
    readOnly: statements.some(({ readOnly }) => readOnly === true),
    confirm: statements.find(({ confirm }) => confirm !== undefined)?.confirm,
    selectors: statements.flatMap(({ selectors = [] }) => selectors),
    limits,
    auth: statements.some(({ auth }) => auth === true),
    onBehalf: modes.includes('required') ? 'required' : modes.find((mode) => mode !== undefined),
  };
}
