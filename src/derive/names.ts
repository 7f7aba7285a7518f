/**
 * Tool names: valid, unique and stable. `x-mcp.name` › the lock › `operationId` › method + path words.
 * Operations that would share a name are told apart by what they are (method and path), never by their order,
 * so that reordering a document renames nothing.
 */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { operationIdOrigin } from '../model/operation-id-origin.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { cleanName, fitName, withHash, withSuffix } from './clean-name.ts';
import { groupBy } from './group-by.ts';
import { operationKey } from './operation-key.ts';
import type { NameLock } from './options.ts';

interface Candidate {
  operation: Operation;
  key: string;
  /** What the source calls it; absent when it says nothing. */
  wanted: string | undefined;
  /** Written by a person or given before: keeps its name before derived ones do. */
  pinned: boolean;
  base: string;
}

export interface NameSettings {
  maxNameLength: number;
  nameLock: NameLock;
}

/** One name per operation of the source; leaving operations out renames nothing. Reports on those `served`. */
export function deriveToolNames(
  source: SourceModel,
  served: ReadonlySet<Operation>,
  settings: NameSettings,
  diagnostics: DiagnosticCollector,
): Map<Operation, string> {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  const candidates = operations.map((operation) => candidateOf(operation, settings));
  const names = resolveClashes(candidates, settings.maxNameLength);
  for (const candidate of candidates) {
    if (served.has(candidate.operation)) reportRename(candidate, names, diagnostics);
  }
  return new Map(candidates.map((candidate) => [candidate.operation, nameIn(names, candidate)]));
}

function candidateOf(operation: Operation, { maxNameLength, nameLock }: NameSettings): Candidate {
  const key = operationKey(operation);
  const given = cleanName(operation.xMcp?.name ?? '');
  const locked = Object.hasOwn(nameLock, key) ? cleanName(nameLock[key] ?? '') : '';
  const pinned = given !== '' ? given : locked;
  const wanted = operation.xMcp?.name ?? (locked !== '' ? locked : operation.operationId);
  const base = pinned || cleanName(operation.operationId ?? '') || wordsFrom(operation);
  return { operation, key, wanted, pinned: pinned !== '', base: fitName(base, maxNameLength) };
}

/** `GET /pets/{petId}` → `get_pets_petId`. */
function wordsFrom({ method, path }: Operation): string {
  return cleanName(`${method.toLowerCase()}_${path}`) || 'call';
}

/** From the words of method and path to ever longer hashes of them. */
function attempts(limit: number): ((candidate: Candidate) => string)[] {
  const hashed = [8, 12, 24].map(
    (digits) =>
      ({ base, key }: Candidate) =>
        withHash(base, key, limit, digits),
  );
  return [({ base }) => base, (candidate) => withWords(candidate, limit), ...hashed];
}

function withWords({ operation, base, key }: Candidate, limit: number): string {
  const words = wordsFrom(operation);
  return words.length * 2 > limit ? withHash(base, key, limit) : withSuffix(base, words, limit);
}

function resolveClashes(candidates: readonly Candidate[], limit: number): Map<Candidate, string> {
  const names = new Map<Candidate, string>();
  const taken = new Set<string>();
  let open = candidates;
  for (const attempt of attempts(limit)) {
    open = settle(open, attempt, names, taken);
    if (open.length === 0) return names;
  }
  // Only the very same method and path, twice, come this far.
  open.forEach((candidate, index) =>
    names.set(candidate, withSuffix(candidate.base, `${candidate.key.length}_${index}`, limit)),
  );
  return names;
}

/** Gives a name to each candidate that is alone with it, and returns the others. */
function settle(
  open: readonly Candidate[],
  attempt: (candidate: Candidate) => string,
  names: Map<Candidate, string>,
  taken: Set<string>,
): Candidate[] {
  const groups = groupBy(open, attempt);
  const left: Candidate[] = [];
  const settled: [Candidate, string][] = [];
  for (const [name, group] of groups) {
    const winner = taken.has(name) ? undefined : winnerOf(group);
    if (winner !== undefined) settled.push([winner, name]);
    left.push(...group.filter((candidate) => candidate !== winner));
  }
  for (const [candidate, name] of settled) {
    names.set(candidate, name);
    taken.add(name);
  }
  return left;
}

function winnerOf(group: readonly Candidate[]): Candidate | undefined {
  const pinned = group.filter((candidate) => candidate.pinned);
  const strongest = pinned.length > 0 ? pinned : group;
  return strongest.length === 1 ? strongest[0] : undefined;
}

function nameIn(names: Map<Candidate, string>, candidate: Candidate): string {
  return names.get(candidate) ?? candidate.base;
}

function reportRename(
  candidate: Candidate,
  names: Map<Candidate, string>,
  diagnostics: DiagnosticCollector,
): void {
  const { operation, key, wanted, base } = candidate;
  const name = nameIn(names, candidate);
  const at = operationIdOrigin(operation);
  if (name !== base)
    return diagnostics.report('tool-name-clash', { name: base, operation: key, to: name }, { at });
  if (wanted !== undefined && wanted !== name) {
    diagnostics.report('tool-renamed', { from: wanted, operation: key, to: name }, { at });
  }
}
