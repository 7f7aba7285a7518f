/** Derives tool names. They are valid, unique and stable, since clients and people remember them. */
import { SURFACE_TOOLS } from '../../model/listed-items.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { operationIdOrigin, operationKey } from '../../model/operation-key.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';
import type { Origin } from '../../model/origin.ts';
import { groupBy, formatNameList } from '../../util/collections.ts';
import type { DeriveSettings, LockedName, NameLock } from '../options.ts';
import { NAME_LENGTH } from '../../config/options/values.ts';
import {
  type Alphabet,
  cleanName,
  cleanPrefix,
  fitName,
  findNameFault,
  isMadeFrom,
  addHash,
  addSuffix,
} from './clean-name.ts';
import { splitWords } from '../text/tool-text.ts';
import { readAuthorsName } from './generator-names.ts';
import { readLockedName } from './name-locks.ts';

type NameSettings = Pick<DeriveSettings, 'prefix' | 'maxNameLength' | 'toolNames' | 'nameLock'>;

interface ToolNames {
  nameOf: (operation: Operation) => string;
  /** Reports served operations whose name differs from the source or from the lock. */
  report: (served: readonly Operation[], diagnostics: DiagnosticCollector) => void;
}

/** Names all operations of the source, so that leaving some out renames nothing. */
export function deriveToolNames(source: SourceModel, settings: DeriveSettings): ToolNames {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  const { rename } = settings;
  const suggested = new Naming(operations, { ...settings, nameLock: {} });
  const locked = Object.keys(settings.nameLock).length === 0 ? suggested : new Naming(operations, settings);
  return {
    nameOf: (operation) => (rename ? suggested : locked).nameOf(operation),
    report: (served, diagnostics) => {
      // Of the others, clients see the name of the configuration.
      const listed = served.filter(
        (one) => settings.tools.rulesOf({ ...one, name: locked.nameOf(one) }).name === undefined,
      );
      reportLockedNames(served, listed, { suggested, locked, rename }, diagnostics);
      if (!rename && settings.toolNames !== 'spec')
        reportRefusedNames(
          listed.map((operation) => ({ name: locked.nameOf(operation), origin: operation.origin })),
          diagnostics,
        );
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

  constructor(operations: readonly Operation[], settings: NameSettings) {
    const { nameLock, prefix, maxNameLength: limit, toolNames: alphabet } = settings;
    this.#lock = nameLock;
    const naming = { nameLock, prefix, limit, alphabet, ...readDocument(operations) };
    this.#candidates = new Map(operations.map((operation) => [operation, makeCandidate(operation, naming)]));
    this.#names = resolveClashes([...this.#candidates.values()], limit);
  }

  nameOf(operation: Operation): string {
    const candidate = this.#candidates.get(operation);
    return (candidate && this.#names.get(candidate)) ?? operationKey(operation);
  }

  isLocked(operation: Operation): boolean {
    return Object.hasOwn(this.#lock, operationKey(operation));
  }

  lockedOf(operation: Operation): Partial<LockedName> {
    return readLockedName(this.#lock, operationKey(operation));
  }

  /** The names of all operations in the lock, also of those that are gone. */
  listLockedNames(): ReadonlySet<string | undefined> {
    return new Set(Object.keys(this.#lock).map((key) => readLockedName(this.#lock, key).name));
  }

  report(operation: Operation, diagnostics: DiagnosticCollector): void {
    const candidate = this.#candidates.get(operation);
    if (candidate !== undefined) reportRename(candidate, this.nameOf(operation), diagnostics);
  }
}

/** Examples in one diagnostic. */
const mostShown = 5;

function reportLockedNames(
  served: readonly Operation[],
  listed: readonly Operation[],
  { suggested, locked, rename }: { suggested: Naming; locked: Naming; rename: boolean },
  diagnostics: DiagnosticCollector,
): void {
  const newNames = rename ? suggested : locked;
  const lockedOperations = served.filter((operation) => locked.isLocked(operation));
  // Without --rename too: `x-mcp.name` wins over the lock.
  const renamed = lockedOperations.filter(
    (operation) => locked.lockedOf(operation).name !== newNames.nameOf(operation),
  );
  reportNewNames(renamed, { newNames, locked }, diagnostics);
  if (rename) return;
  const operationsWithOldName = lockedOperations.filter((operation) => {
    const name = locked.nameOf(operation);
    return name !== suggested.nameOf(operation) && !isRefusedName(name);
  });
  reportSwapped(operationsWithOldName, served, { suggested, locked }, diagnostics);
  const kept = operationsWithOldName.filter((operation) => listed.includes(operation));
  const [first] = kept;
  if (first === undefined) return;
  const list = formatExamples(kept, (operation) => {
    const [old, now] = [locked.nameOf(operation), suggested.nameOf(operation)].map((name) => `\`${name}\``);
    return `${old} for \`${operationKey(operation)}\` (the document now suggests ${now})`;
  });
  diagnostics.report('names-kept', { count: kept.length, list }, { at: first.origin });
}

function reportNewNames(
  renamed: readonly Operation[],
  { newNames, locked }: { newNames: Naming; locked: Naming },
  diagnostics: DiagnosticCollector,
): void {
  const [first] = renamed;
  if (first === undefined) return;
  const formatNewName = (operation: Operation): string =>
    `\`${newNames.nameOf(operation)}\` for \`${operationKey(operation)}\``;
  const lockedNames = locked.listLockedNames();
  const swapped = renamed.filter((operation) => lockedNames.has(newNames.nameOf(operation)));
  if (swapped[0] !== undefined) {
    const list = formatExamples(swapped, formatNewName);
    diagnostics.report('names-swapped', { list, by: 'rename' }, { at: swapped[0].origin });
  }
  const list = formatExamples(
    renamed,
    (operation) => `${formatNewName(operation)} (it was \`${locked.lockedOf(operation).name ?? ''}\`)`,
  );
  diagnostics.report('names-taken', { count: renamed.length, list }, { at: first.origin });
}

/** Reports names of the lock that the APIs of models refuse; new names have none of these characters. */
export function reportRefusedNames(
  namedItems: readonly { name: string; origin: Origin }[],
  diagnostics: DiagnosticCollector,
): void {
  const refused = namedItems.filter(({ name }) => isRefusedName(name));
  const [first] = refused;
  if (first === undefined) return;
  const list = formatNameList(
    refused.map(({ name }) => `\`${name}\``),
    mostShown,
  );
  diagnostics.report('names-refused', { count: refused.length, list }, { at: first.origin });
}

function isRefusedName(name: string): boolean {
  return findNameFault(name, NAME_LENGTH.longest, 'models') !== undefined;
}

function formatExamples(
  operations: readonly Operation[],
  describe: (operation: Operation) => string,
): string {
  const examples = operations.slice(0, mostShown).map(describe);
  const more = operations.length - examples.length;
  return [...examples, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}

/** Reports names of the lock that belonged to an operation which the document has elsewhere. A lock from an untrusted source may exchange names on purpose. */
function reportSwapped(
  changed: readonly Operation[],
  served: readonly Operation[],
  { suggested, locked }: { suggested: Naming; locked: Naming },
  diagnostics: DiagnosticCollector,
): void {
  const isNameOf = (name: string, operation: Operation): boolean =>
    [suggested.nameOf(operation), operation.operationId ?? '', `${operation.method} ${operation.path}`].some(
      (text) => haveSameWords(name, text),
    );
  const swapped = changed.filter((operation) => {
    const name = locked.nameOf(operation);
    const otherOperations = served.filter((other) => other !== operation);
    const { operationId: lockedId } = locked.lockedOf(operation);
    // Another operation has moved if it has this operationId now, and had another one in the lock.
    const hasMoved = (other: Operation): boolean => {
      // The lock leaves out an operationId that is the name.
      const { name: otherName, operationId: otherId = otherName } = locked.lockedOf(other);
      return other.operationId === lockedId && otherId !== lockedId;
    };
    if (lockedId !== undefined && lockedId !== operation.operationId && otherOperations.some(hasMoved))
      return true;
    if (isNameOf(name, operation)) return false;
    const owners = otherOperations.filter((other) => isNameOf(name, other));
    // The name was given before the operationId changed, so only an exchange concerns another operation.
    if (lockedId !== undefined) return owners.some((owner) => isNameOf(locked.nameOf(owner), operation));
    return owners.length > 0;
  });
  const [first] = swapped;
  if (first === undefined) return;
  const list = formatExamples(
    swapped,
    (operation) => `\`${locked.nameOf(operation)}\` for \`${operationKey(operation)}\``,
  );
  diagnostics.report('names-swapped', { list, by: 'lock' }, { at: first.origin });
}

function reportRename(
  { operation, key, documentName, base, rank }: Candidate,
  name: string,
  diagnostics: DiagnosticCollector,
): void {
  const at = operationIdOrigin(operation);
  const because = SURFACE_TOOLS.includes(base)
    ? `\`${base}\` is the name of a tool that searches or calls others`
    : name !== base
      ? `several operations would become the tool \`${base}\``
      : documentName !== undefined && documentName !== name
        ? rank === 0
          ? `the rest of "${documentName}" was added by the generator of the document`
          : `clients refuse the name "${documentName}" of the document`
        : undefined;
  if (because !== undefined)
    diagnostics.report('tool-renamed', { operation: key, to: name, because }, { at });
}

interface Document {
  authorsNames: ReadonlyMap<Operation, string>;
  /** Begins all paths, and so tells none apart: `/api/v1`. */
  commonPath: string;
}

function readDocument(operations: readonly Operation[]): Document {
  const names = operations.flatMap((operation) => {
    const read = readAuthorsName(operation);
    return read === undefined ? [] : [{ operation, ...read }];
  });
  const uses = groupBy(
    [...names.map(({ name }) => name), ...operations.map(({ operationId = '' }) => operationId)],
    (name) => name.toLowerCase(),
  );
  const usable = names.filter(
    ({ name, isIfUnique }) => isIfUnique !== true || uses.get(name.toLowerCase())?.length === 1,
  );
  return {
    authorsNames: new Map(usable.map(({ operation, name }) => [operation, name])),
    commonPath: findCommonPath(operations.map(({ path }) => path)),
  };
}

/** Each path keeps a segment that is no parameter. */
function findCommonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(1));
  let length = 0;
  const isCommon = (at: number): boolean =>
    others.length > 0 &&
    /^[^{]+$/.test(first[at] ?? '') &&
    [first, ...others].every(
      (segments) =>
        segments[at] === first[at] && segments.slice(at + 1).some((segment) => /^[^{]+$/.test(segment)),
    );
  while (isCommon(length)) length++;
  return first
    .slice(0, length)
    .map((segment) => `/${segment}`)
    .join('');
}

interface Candidate {
  operation: Operation;
  key: string;
  alphabet: Alphabet;
  documentName: string | undefined;
  /** The operation of the highest rank gets a name that several ask for: 2 if a person wrote it or an earlier run gave it, 1 for an operationId. */
  rank: 0 | 1 | 2;
  base: string;
  commonPath: string;
}

/**
 * `x-mcp.name` › the lock › `operationId`, without what a generator added › method + path words; a name of the lock has its prefix. An `x-mcp.name` that
 * must be changed stays as an earlier run changed it.
 */
function makeCandidate(
  operation: Operation,
  {
    nameLock,
    prefix,
    limit,
    alphabet,
    authorsNames,
    commonPath,
  }: { nameLock: NameLock; prefix: string; limit: number; alphabet: Alphabet } & Document,
): Candidate {
  const key = operationKey(operation);
  const xMcpName = cleanName(operation.xMcp?.name ?? '', alphabet);
  const lockedName = cleanName(readLockedName(nameLock, key).name ?? '', 'spec');
  const start = cleanPrefix(prefix, alphabet);
  const prefixedName = `${prefix}${operation.xMcp?.name ?? ''}`;
  const isKept =
    xMcpName === '' ||
    (findNameFault(prefixedName, limit, alphabet) !== undefined && isMadeFrom(lockedName, prefixedName));
  // A name given under another prefix is no longer valid.
  const isLocked =
    isKept && lockedName !== '' && (lockedName.startsWith(prefix) || lockedName.startsWith(start));
  const documentName = operation.xMcp?.name ?? operation.operationId;
  const authorsName = authorsNames.get(operation);
  const derived =
    xMcpName ||
    cleanName(authorsName ?? operation.operationId ?? '', alphabet) ||
    wordsOfMethodAndPath(operation, alphabet, commonPath);
  return {
    operation,
    key,
    alphabet,
    documentName: isLocked ? lockedName : documentName === undefined ? undefined : `${prefix}${documentName}`,
    rank: xMcpName !== '' || isLocked ? 2 : authorsName === undefined ? 1 : 0,
    commonPath,
    // Clients use a name of the lock, so it stays, whatever the server is called now.
    base: isLocked
      ? fitName(lockedName, NAME_LENGTH.longest)
      : `${start}${fitName(derived, limit - start.length)}`,
  };
}

function wordsOfMethodAndPath({ method, path }: Operation, alphabet: Alphabet, commonPath: string): string {
  const rest = path.slice(commonPath.length);
  // The slashes of a path mean nothing in a name, so they become spaces.
  const text = `${method.toLowerCase()}_${/^\/?$/.test(rest) ? 'root' : rest}`.replaceAll('/', ' ');
  return cleanName(text, alphabet) || 'call';
}

/** Lists names to try in turn: the name itself, with words of the path, with method and path, then with ever longer hashes. */
function listNameAttempts(limit: number): ((candidate: Candidate) => string)[] {
  const hashed = [8, 12, 24].map(
    (digits) =>
      ({ base, key }: Candidate) =>
        addHash(base, key, limit, digits),
  );
  return [
    ({ base }) => base,
    (candidate) => addWords(candidate, newPathWords(candidate), limit),
    (candidate) => addWords(candidate, wordsOfCandidate(candidate), limit),
    ...hashed,
  ];
}

function wordsOfCandidate({ operation, alphabet, commonPath }: Candidate): string {
  return wordsOfMethodAndPath(operation, alphabet, commonPath);
}

/** The words of the path that the name lacks. */
function newPathWords(candidate: Candidate): string {
  const baseWords = new Set(splitWords(candidate.base).map((word) => word.toLowerCase()));
  const [, ...pathWords] = wordsOfCandidate(candidate).split('_');
  return pathWords
    .filter((word) => splitWords(word).some((part) => !baseWords.has(part.toLowerCase())))
    .join('_');
}

function addWords({ base }: Candidate, suffix: string, limit: number): string {
  const room = Math.max(Math.floor(limit / 2), limit - base.length - 1);
  return suffix === '' ? base : addSuffix(base, fitName(suffix, room), limit);
}

/** Resolves names that several operations ask for. Method and path decide, never the order, so reordering a document renames nothing. */
function resolveClashes(candidates: readonly Candidate[], limit: number): Map<Candidate, string> {
  const names = new Map<Candidate, string>();
  // Tools that search and call others have these names, now or once the server lists them.
  const takenNames = new Set<string>(SURFACE_TOOLS);
  let open = candidates;
  for (const attempt of listNameAttempts(limit)) {
    open = assignUniqueNames(open, attempt, names, takenNames);
    if (open.length === 0) return names;
  }
  // Only a repeated method and path reaches this point.
  open.forEach((candidate, index) =>
    names.set(candidate, addSuffix(candidate.base, `${candidate.key.length}_${index}`, limit)),
  );
  return names;
}

function assignUniqueNames(
  open: readonly Candidate[],
  attempt: (candidate: Candidate) => string,
  names: Map<Candidate, string>,
  takenNames: Set<string>,
): Candidate[] {
  const groups = groupBy(open, attempt);
  const openCandidates: Candidate[] = [];
  const settled: [Candidate, string][] = [];
  for (const [name, group] of groups) {
    const winner = takenNames.has(name) ? undefined : findStrongestCandidate(group);
    if (winner !== undefined) settled.push([winner, name]);
    openCandidates.push(...group.filter((candidate) => candidate !== winner));
  }
  for (const [candidate, name] of settled) {
    names.set(candidate, name);
    takenNames.add(name);
  }
  return openCandidates;
}

/** Returns the candidate of the highest rank, of equals the first by path and method; none if two names of rank 2 are equal. */
function findStrongestCandidate(group: readonly Candidate[]): Candidate | undefined {
  const highest = Math.max(...group.map(({ rank }) => rank));
  const strongest = group.filter(({ rank }) => rank === highest);
  if (highest === 2) return strongest.length === 1 ? strongest[0] : undefined;
  const sortKey = ({ operation: { path, method } }: Candidate): string => `${path} ${method}`;
  return strongest.reduce((first, other) => (sortKey(other) < sortKey(first) ? other : first));
}

/** `getPets`, `GET /pets` and `get_pet` have the same words. */
function haveSameWords(one: string, other: string): boolean {
  const stems = sortStems(one);
  return stems !== '' && stems === sortStems(other);
}

function sortStems(text: string): string {
  const stems = splitWords(text).map((word) => word.toLowerCase().replace(/(?<=...)s$/, ''));
  return [...new Set(stems)].sort().join(' ');
}
