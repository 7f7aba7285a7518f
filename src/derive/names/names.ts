/** Derives tool names. They are valid, unique and stable, since clients and people remember them. */
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { operationIdOrigin } from '../../model/operation-id-origin.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';
import { type Candidate, candidateOf } from './name-candidate.ts';
import { resolveClashes } from './name-clashes.ts';
import { operationKey } from '../operation-key.ts';
import { fitsAnother } from './name-words.ts';
import type { NameLock } from '../options.ts';

export interface NameSettings {
  prefix: string;
  maxNameLength: number;
  nameLock: NameLock;
  /** Use the source's suggestion even if the lock has a name. */
  rename: boolean;
}

export interface ToolNames {
  nameOf: (operation: Operation) => string;
  /** Reports served operations whose name differs from the source or from the lock. */
  report: (served: readonly Operation[], diagnostics: DiagnosticCollector) => void;
}

/** Names all operations of the source, so that leaving some out renames nothing. */
export function deriveToolNames(source: SourceModel, settings: NameSettings): ToolNames {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  const { rename } = settings;
  const suggested = new Naming(operations, { ...settings, nameLock: {} });
  const locked = Object.keys(settings.nameLock).length === 0 ? suggested : new Naming(operations, settings);
  return {
    nameOf: (operation) => (rename ? suggested : locked).nameOf(operation),
    report: (served, diagnostics) => {
      reportLocked(served, { suggested, locked, rename }, diagnostics);
      for (const operation of served) {
        const isSuggested = rename || locked.nameOf(operation) === suggested.nameOf(operation);
        if (isSuggested) suggested.report(operation, diagnostics);
        else if (!locked.isLocked(operation)) locked.report(operation, diagnostics);
      }
    },
  };
}

class Naming {
  readonly #candidates: ReadonlyMap<Operation, Candidate>;
  readonly #names: ReadonlyMap<Candidate, string>;
  readonly #lock: NameLock;

  constructor(operations: readonly Operation[], { nameLock, prefix, maxNameLength: limit }: NameSettings) {
    this.#lock = nameLock;
    const naming = { nameLock, prefix, limit };
    this.#candidates = new Map(operations.map((each) => [each, candidateOf(each, naming)]));
    this.#names = resolveClashes([...this.#candidates.values()], limit);
  }

  nameOf(operation: Operation): string {
    const candidate = this.#candidates.get(operation);
    return (candidate && this.#names.get(candidate)) ?? operationKey(operation);
  }

  isLocked(operation: Operation): boolean {
    return Object.hasOwn(this.#lock, operationKey(operation));
  }

  report(operation: Operation, diagnostics: DiagnosticCollector): void {
    const candidate = this.#candidates.get(operation);
    if (candidate !== undefined) reportRename(candidate, this.nameOf(operation), diagnostics);
  }
}

/** Examples in one diagnostic. */
const mostShown = 5;

function reportLocked(
  served: readonly Operation[],
  { suggested, locked, rename }: { suggested: Naming; locked: Naming; rename: boolean },
  diagnostics: DiagnosticCollector,
): void {
  const changed = served.filter(
    (operation) => locked.isLocked(operation) && locked.nameOf(operation) !== suggested.nameOf(operation),
  );
  const [first] = changed;
  if (first === undefined) return;
  if (!rename) reportSwapped(changed, served, { suggested, locked }, diagnostics);
  const list = formatExamples(changed, (operation) => {
    const [old, now] = [locked.nameOf(operation), suggested.nameOf(operation)].map((name) => `\`${name}\``);
    return rename
      ? `${now} for \`${operationKey(operation)}\` (it was ${old})`
      : `${old} for \`${operationKey(operation)}\` (the document now suggests ${now})`;
  });
  const at = first.origin;
  diagnostics.report(rename ? 'names-taken' : 'names-kept', { count: changed.length, list }, { at });
}

function formatExamples(
  operations: readonly Operation[],
  describe: (operation: Operation) => string,
): string {
  const examples = operations.slice(0, mostShown).map(describe);
  const more = operations.length - examples.length;
  return [...examples, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}

/** Reports names that clients know for another operation. A lock from an untrusted source may swap names on purpose. */
function reportSwapped(
  changed: readonly Operation[],
  served: readonly Operation[],
  { suggested, locked }: { suggested: Naming; locked: Naming },
  diagnostics: DiagnosticCollector,
): void {
  const all = served.map((operation) => ({ operation, name: suggested.nameOf(operation) }));
  const swapped = changed.filter((operation) => fitsAnother(locked.nameOf(operation), operation, all));
  const [first] = swapped;
  if (first === undefined) return;
  const list = formatExamples(
    swapped,
    (operation) => `\`${locked.nameOf(operation)}\` for \`${operationKey(operation)}\``,
  );
  diagnostics.report('names-swapped', { file: 'mcpgen.lock', list }, { at: first.origin });
}

function reportRename(
  { operation, key, wanted, base }: Candidate,
  name: string,
  diagnostics: DiagnosticCollector,
): void {
  const at = operationIdOrigin(operation);
  if (name !== base)
    return diagnostics.report('tool-name-clash', { name: base, operation: key, to: name }, { at });
  if (wanted !== undefined && wanted !== name)
    diagnostics.report('tool-renamed', { from: wanted, operation: key, to: name }, { at });
}
