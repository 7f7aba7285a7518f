/** Derives tool names. They are valid, unique and stable, since clients and people remember them. */
import { SURFACE_TOOLS } from '../../model/listed-items.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { operationIdOrigin, operationKey } from '../../model/operation-key.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';
import type { Origin } from '../../model/origin.ts';
import { groupBy, formatNameList } from '../../util/collections.ts';
import type { DeriveSettings, LockedName, NameLock } from '../options.ts';
import { NAME_LENGTH } from '../../config/options/values.ts';
import { type Alphabet, cleanName, cleanPrefix, findNameFault } from './clean-name.ts';
import { splitWords } from '../text/tool-text.ts';
import { readAuthorsName } from './generator-names.ts';
import { readLockedName } from './name-locks.ts';
import { type Siblings, contentHash, fitName, indexNames, isMadeFrom } from './shorter-name.ts';

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
      // Clients see another name where the configuration gives one, so no message names these.
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
        else if (locked.lockedOf(operation).name === undefined) locked.report(operation, diagnostics);
      }
    },
  };
}

class Naming {
  readonly #candidates: ReadonlyMap<Operation, Candidate>;
  readonly #names: ReadonlyMap<Candidate, string>;
  readonly #lock: NameLock;

  constructor(operations: readonly Operation[], settings: NameSettings) {
    this.#lock = settings.nameLock;
    const naming = { ...settings, ...readDocument(operations, settings.toolNames) };
    this.#candidates = new Map(operations.map((operation) => [operation, makeCandidate(operation, naming)]));
    this.#names = resolveClashes([...this.#candidates.values()]);
  }

  nameOf(operation: Operation): string {
    const candidate = this.#candidates.get(operation);
    return (candidate && this.#names.get(candidate)) ?? operationKey(operation);
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
  const lockedOperations = served.filter((operation) => locked.lockedOf(operation).name !== undefined);
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
  const listedOperations = operationsWithOldName.filter((operation) => listed.includes(operation));
  const [first] = listedOperations;
  if (first === undefined) return;
  const noteSuggestion = (operation: Operation): string =>
    ` (the document now suggests \`${suggested.nameOf(operation)}\`)`;
  const list = listNames(listedOperations, locked, noteSuggestion);
  diagnostics.report('names-kept', { count: listedOperations.length, list }, { at: first.origin });
}

function reportNewNames(
  renamed: readonly Operation[],
  { newNames, locked }: { newNames: Naming; locked: Naming },
  diagnostics: DiagnosticCollector,
): void {
  const [first] = renamed;
  if (first === undefined) return;
  const lockedNames = locked.listLockedNames();
  const swapped = renamed.filter((operation) => lockedNames.has(newNames.nameOf(operation)));
  if (swapped[0] !== undefined) {
    const list = listNames(swapped, newNames);
    diagnostics.report('names-swapped', { list, by: 'rename' }, { at: swapped[0].origin });
  }
  const noteOldName = (operation: Operation): string =>
    ` (it was \`${locked.lockedOf(operation).name ?? ''}\`)`;
  const list = listNames(renamed, newNames, noteOldName);
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

function listNames(
  operations: readonly Operation[],
  naming: Naming,
  note: (operation: Operation) => string = () => '',
): string {
  const names = operations.map(
    (operation) => `\`${naming.nameOf(operation)}\` for \`${operationKey(operation)}\`${note(operation)}`,
  );
  return formatNameList(names, mostShown);
}

/** Reports names of the lock that belonged to an operation which the document has elsewhere. A lock from an untrusted source may exchange names on purpose. */
function reportSwapped(
  changed: readonly Operation[],
  served: readonly Operation[],
  { suggested, locked }: { suggested: Naming; locked: Naming },
  diagnostics: DiagnosticCollector,
): void {
  const isNameOf = (name: string, operation: Operation, byPath = true): boolean => {
    const { operationId = '', method, path } = operation;
    const texts = [suggested.nameOf(operation), operationId, byPath ? `${method} ${path}` : ''];
    return texts.some((text) => haveSameWords(name, text));
  };
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
    // `getMember` of `GET /members/{id}` has the words of `GET /members`, too.
    const owners = otherOperations.filter((other) =>
      isNameOf(name, other, other.method !== operation.method),
    );
    // The name was given before the operationId changed, so only an exchange concerns another operation.
    if (lockedId !== undefined) return owners.some((owner) => isNameOf(locked.nameOf(owner), operation));
    return owners.length > 0;
  });
  const [first] = swapped;
  if (first === undefined) return;
  const list = listNames(swapped, locked);
  diagnostics.report('names-swapped', { list, by: 'lock' }, { at: first.origin });
}

function reportRename(candidate: Candidate, name: string, diagnostics: DiagnosticCollector): void {
  const { operation, key, documentName, base, rank, limit, shorten } = candidate;
  const because = SURFACE_TOOLS.includes(base)
    ? `\`${base}\` is the name of a tool that searches or calls others`
    : name !== base
      ? `several operations would become the tool \`${base}\``
      : documentName === undefined || documentName === name
        ? undefined
        : shorten(Infinity) !== base
          ? `"${documentName}" has more than ${limit} characters (a shorter \`--name\` or \`--max-name-length\` leaves more)`
          : rank === 0
            ? `the rest of "${documentName}" was added by the generator of the document`
            : `clients refuse the name "${documentName}" of the document`;
  const at = operationIdOrigin(operation);
  if (because !== undefined)
    diagnostics.report('tool-renamed', { operation: key, to: name, because }, { at });
}

interface Document {
  authorsNames: ReadonlyMap<Operation, string>;
  /** Begins all paths but those beside the API, and so tells none apart: `/api/v1`. */
  commonPath: string;
  /** Names that may be too long. */
  wholeNames: ReadonlyMap<Operation, string>;
  siblings: Siblings;
}

function readDocument(operations: readonly Operation[], alphabet: Alphabet): Document {
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
  const authorsNames = new Map(usable.map(({ operation, name }) => [operation, name]));
  const paths = operations.map(({ path }) => path);
  // Beside `/api/v1/pets`, a document may have `/` and `/health`.
  const ofApi = paths.filter((path) => /^\/(?:api|rest|v\d+)\/./i.test(path));
  const commonPath = findCommonPath(ofApi.length > 1 ? ofApi : paths);
  const wholeNames = new Map(
    operations.map((operation) => [
      operation,
      cleanName(authorsNames.get(operation) ?? operation.operationId ?? '', alphabet) ||
        wordsOfMethodAndPath(operation, alphabet, commonPath),
    ]),
  );
  return { authorsNames, commonPath, wholeNames, siblings: indexNames(wholeNames.values()) };
}

/** Each path keeps a segment that is no parameter. */
function findCommonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(1));
  const isFixed = (segment = ''): boolean => /^[^{]+$/.test(segment);
  const isCommon = (at: number): boolean =>
    isFixed(first[at]) &&
    [first, ...others].every(
      (segments) => segments[at] === first[at] && segments.slice(at + 1).some(isFixed),
    );
  let length = 0;
  while (others.length > 0 && isCommon(length)) length++;
  return ['', ...first.slice(0, length)].join('/');
}

interface Candidate {
  operation: Operation;
  key: string;
  documentName: string | undefined;
  /** The operation of the highest rank gets a name that several ask for: 2 if a person wrote it or an earlier run gave it, 1 for an operationId. */
  rank: 0 | 1 | 2;
  base: string;
  limit: number;
  /** The name before it was cut to its length, cut to another one. */
  shorten: (limit: number) => string;
  /** The words of method and path, which tell it from operations of the same name. */
  placeWords: ReadonlySet<string>;
}

/**
 * `x-mcp.name` › the lock › `operationId`, without what a generator added › method + path words; a name of the lock has its prefix. An `x-mcp.name` that
 * must be changed stays as an earlier run changed it.
 */
function makeCandidate(operation: Operation, naming: NameSettings & Document): Candidate {
  const { nameLock, prefix, maxNameLength: limit, toolNames: alphabet } = naming;
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
  const wholeName = xMcpName || (naming.wholeNames.get(operation) ?? '');
  const siblings = xMcpName === '' ? naming.siblings : undefined;
  const shorten = (most: number): string =>
    isLocked ? fitName(lockedName, most) : `${start}${fitName(wholeName, most - start.length, siblings)}`;
  return {
    operation,
    key,
    documentName: isLocked ? lockedName : documentName === undefined ? undefined : `${prefix}${documentName}`,
    rank: xMcpName !== '' || isLocked ? 2 : naming.authorsNames.has(operation) ? 0 : 1,
    // Clients use a name of the lock, so it stays, whatever the server is called now.
    base: shorten(isLocked ? NAME_LENGTH.longest : limit),
    limit,
    shorten,
    placeWords: new Set(wordsOfMethodAndPath(operation, alphabet, naming.commonPath).split('_')),
  };
}

function wordsOfMethodAndPath({ method, path }: Operation, alphabet: Alphabet, commonPath: string): string {
  const rest = path.startsWith(commonPath) ? path.slice(commonPath.length) : path;
  // The slashes of a path mean nothing in a name, so they become spaces.
  const text = `${method.toLowerCase()}_${/^\/?$/.test(rest) ? 'root' : rest}`.replaceAll('/', ' ');
  return cleanName(text, alphabet) || 'call';
}

/** Resolves names that several operations ask for. Method and path decide, never the order, so reordering a document renames nothing. */
function resolveClashes(candidates: readonly Candidate[]): Map<Candidate, string> {
  const names = new Map<Candidate, string>();
  // Tools that search and call others have these names, now or once the server lists them.
  const takenNames = new Set<string>(SURFACE_TOOLS);
  const rivals = groupBy(candidates, ({ base }) => base);
  let open = candidates;
  const suffixes: ((candidate: Candidate) => string)[] = [
    () => '',
    (candidate) => findDifferingWords(candidate, rivals.get(candidate.base) ?? []),
    ({ placeWords }) => [...placeWords].join('_'),
    ({ key }) => contentHash(key, 8),
    // Only a repeated method and path reaches this point.
    (candidate) => `${candidate.key.length}_${open.indexOf(candidate)}`,
  ];
  for (const suffixOf of suffixes) {
    const groups = groupBy(open, (candidate) => addWords(candidate, suffixOf(candidate)));
    for (const [name, group] of groups) {
      const winner = takenNames.has(name) ? undefined : findStrongestCandidate(group);
      if (winner === undefined) continue;
      names.set(winner, name);
      takenNames.add(name);
    }
    open = open.filter((candidate) => !names.has(candidate));
  }
  return names;
}

/** The fewest words of method and path that no rival has together: of equals one near the end of the path that is no variable. */
function findDifferingWords(candidate: Candidate, rivals: readonly Candidate[]): string {
  const words = [...candidate.placeWords];
  const fixed = candidate.operation.path.replace(/\{[^{}]*\}/g, '').split(/[^A-Za-z0-9-]/);
  const choices = words.toSorted((one, other) => Number(fixed.includes(one)) - Number(fixed.includes(other)));
  const differing = new Set<string>();
  let similar = rivals.filter((rival) => rival !== candidate);
  for (;;) {
    const counts = choices.map((word) => similar.filter(({ placeWords }) => placeWords.has(word)).length);
    const fewest = Math.min(...counts);
    const best = choices[counts.lastIndexOf(fewest)] ?? '';
    if (fewest === similar.length) return words.filter((word) => differing.has(word)).join('_');
    differing.add(best);
    similar = similar.filter(({ placeWords }) => placeWords.has(best));
  }
}

function addWords({ base, limit, shorten }: Candidate, suffix: string): string {
  if (suffix === '') return base;
  const ending = fitName(suffix, Math.max(Math.floor(limit * 0.7), limit - base.length - 1));
  return `${shorten(limit - ending.length - 1)}_${ending}`;
}

/** Returns the candidate of the highest rank, of equals the one with the shortest path; none if two names of rank 2 are equal. */
function findStrongestCandidate(group: readonly Candidate[]): Candidate | undefined {
  const highest = Math.max(...group.map(({ rank }) => rank));
  const strongest = group.filter(({ rank }) => rank === highest);
  if (highest === 2) return strongest.length === 1 ? strongest[0] : undefined;
  const sortKey = ({ operation: { path, method }, placeWords }: Candidate): string =>
    `${String(placeWords.size).padStart(9)} ${path} ${method}`;
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
