/** `mcpgen.lock`: hashes of the generated files, which `src/write` compares with the disk, and names of tools, which later runs keep. */
import { SURFACES, type SurfaceName } from '../../templates/runtime/contract/json-schema.ts';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { originsOfModel } from '../model/credential-origins.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type GeneratedFile, isSafePath } from './generated-file.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import { hashContents, hashTokens, isHashOf } from './hash.ts';
import {
  type LockedOrigins,
  mapNamesByOperation,
  listOperationIds,
  parseLockedOrigins,
  parseNameEntries,
  hashOrigins,
  formatNameEntries,
  toLockedNames,
} from './lock-entries.ts';
import { packageVersion, placeholderName } from './package-identity.ts';
import { isInManifest, manifestPath, parseManifest } from './runtime-files.ts';
import { omitUndefined } from '../util/collections.ts';
import { tryParseJson } from '../util/try-parse-json.ts';

export const lockPath = 'mcpgen.lock';

/** Version of the lock's format that this compiler writes; it refuses newer ones. */
export const lockFormat = 1;

/** The file whose generated version is merged key by key with the user's. */
export const packagePath = 'package.json';

export interface Lock {
  format: number;
  compiler: string;
  /** The configuration that owns the project, as a path from its folder. */
  configuration?: string;
  /** The project's server, if that configuration has several. */
  server?: string;
  /** Hash of the settings, whatever their format and order. */
  config?: string;
  /** Path, from the project's folder → hash of each file that the documents were read from; URLs are left out. */
  inputs?: Record<string, string>;
  /** Members of the user's package.json that published files repeat. */
  published?: Record<string, unknown>;
  /** `off`: output schemas were left out by default, and stay so. */
  outputSchemas?: 'off';
  /** Operation key (`GET /pets/{petId}`, of one of several APIs `PETS GET /pets/{petId}`) → tool name. */
  names: Record<string, string>;
  /** Operation key → operationId, if the tool has another name: an operation is recognised by it when its path changes. In the file it follows the name. */
  operationIds?: Record<string, string>;
  /** Path → hash of tokens, except for the lock itself, `once` and `built` files, and files in the manifest. */
  files: Record<string, string>;
  /** Digest of the runtime's manifest. */
  runtime?: string;
  /** Path → hashes of the files in that manifest, once it has been read. */
  runtimeFiles?: Record<string, string>;
  /** The manifest has changed since the lock was written: its hashes count, but no file is removed because of them. */
  isManifestForeign?: true;
  /** Files that a person has taken over: path → hash of the generated text at that time. */
  owned?: Record<string, string>;
  /** The tools that the server lists, if it isn't all or `surface: auto` chose them. Not hashed either. */
  surface?: SurfaceName;
  /** Where credentials go, with a hash of its own: see `LockedOrigins`. */
  origins?: LockedOrigins;
  /** `package.json` as it was generated: the base of a merge. */
  package?: Record<string, unknown>;
  /** Files are being replaced: `files` has the hashes before and after, this has further bases of `package.json`. Not hashed. */
  unfinished?: { packages: Record<string, unknown>[] };
  /** Recognises an edited or merged lock. Members that earlier compilers do not know (`origins`, `outputSchemas`) and `operationIds` are not hashed. */
  hash?: string;
}

type LockOptions = Pick<
  EmitOptions,
  'compilerVersion' | 'configuration' | 'provenance' | 'published' | 'registryName' | 'names' | 'server'
>;

export function emitLock(model: ServerModel, options: LockOptions, files: GeneratedFile[]): GeneratedFile {
  const { compilerVersion, configuration = CONFIG_PATH, provenance, server } = options;
  const { published = {}, registryName: name, names = {} } = options;
  const generated = files.filter(({ ownership }) => ownership === 'generated');
  const manifest = parseObject(files.find(({ path }) => path === packagePath)?.contents ?? '');
  const lock: Lock = {
    format: lockFormat,
    compiler: compilerVersion,
    configuration,
    ...omitUndefined({ server }),
    ...provenance,
    ...(Object.keys(published).length === 0 ? {} : { published: { ...published } }),
    ...omitUndefined({ outputSchemas: model.outputSchemas }),
    names: mapNamesByOperation(model, names),
    ...listOperationIds(model),
    ...omitUndefined({ surface: model.surface }),
    origins: hashOrigins(originsOfModel(model)),
    files: Object.fromEntries(
      generated
        .filter(({ path }) => !isInManifest(path) && path !== manifestPath)
        .map(({ path, contents, hash }) => [path, hash ?? hashTokens(path, contents)]),
    ),
    ...omitUndefined({
      runtime: parseManifest(generated.find(({ path }) => path === manifestPath)?.contents ?? '')?.digest,
      package: manifest && { ...manifest, ...listGeneratedValues(model, name, manifest) },
    }),
  };
  return makeLockFile(lock);
}

/** Adds to the lock what the text of the runtime's manifest lists. */
export function addManifestEntries(lock: Lock, text: string | undefined): Lock {
  const manifest = text === undefined || lock.runtime === undefined ? undefined : parseManifest(text);
  if (manifest === undefined) return lock;
  return {
    ...lock,
    runtimeFiles: manifest.entries,
    ...(manifest.digest === lock.runtime ? {} : { isManifestForeign: true }),
  };
}

/** Returns the hashes of all generated files by path, except those of the lock and the manifest. */
export function allFileHashes({ files, runtimeFiles = {} }: Lock): Record<string, string> {
  return { ...files, ...runtimeFiles };
}

/** Lists the values that mcpgen generated in package.json: a merge takes all others for the user's. */
function listGeneratedValues(
  model: ServerModel,
  name: string | undefined,
  manifest: Record<string, unknown>,
): Record<string, string> {
  const identity = { version: packageVersion(model.version), mcpName: name ?? placeholderName(model) };
  return Object.fromEntries(Object.entries(identity).filter(([key]) => key in manifest));
}

/** Adds the files that a person has taken over to the lock that was emitted. */
export function addOwnedToLock(file: GeneratedFile, owned: Record<string, string>): GeneratedFile {
  const lock = Object.keys(owned).length === 0 ? undefined : parseLock(file.contents);
  if (lock === undefined) return file;
  return makeLockFile({ ...lock, owned });
}

/**
 * Prints the lock that holds while files are replaced: the one before (in a new project, the one after), which also accepts the
 * files `generated` of this run. It lists the runtime's files itself, since the manifest is one of those that are replaced.
 */
export function printUnfinishedLock({
  before,
  oldHashes = {},
  after,
  generated,
}: {
  before: Lock | undefined;
  /** Hashes before, if there is no lock. */
  oldHashes?: Lock['files'] | undefined;
  /** Text of the lock after. */
  after: string;
  generated: readonly Pick<GeneratedFile, 'path' | 'contents'>[];
}): string | undefined {
  const next = parseLock(after);
  const base = before ?? next;
  if (base === undefined || next === undefined) return undefined;
  const files = { ...(before === undefined ? oldHashes : allFileHashes(before)) };
  for (const { path, contents } of generated) {
    const entry = Object.hasOwn(files, path) ? files[path] : undefined;
    if (!isHashOf(entry, path, contents))
      files[path] = [...(entry === undefined ? [] : [entry]), hashTokens(path, contents)].join(' ');
  }
  const packages = [...(base.unfinished?.packages ?? []), next.package].filter(isRecord);
  return makeLockFile(
    omitUndefined({ ...base, runtime: undefined, runtimeFiles: undefined, files, unfinished: { packages } }),
  ).contents;
}

function makeLockFile(lock: Lock): GeneratedFile {
  const { outputSchemas, origins, surface, unfinished } = lock;
  const rest = omitUndefined({ outputSchemas, surface, origins, unfinished });
  const whole = {
    ...sortHashedMembers({ ...lock, names: formatNameEntries(lock) }),
    ...rest,
    hash: hashLock(lock),
  };
  return { path: lockPath, contents: printLockText(whole), ownership: 'generated' };
}

/** Prints each member of `package` on one line, since people rarely read this base of merges. */
function printLockText({ package: manifest, ...lock }: Lock): string {
  const text = JSON.stringify({ ...lock, package: manifest && [] }, undefined, 2);
  const members = Object.entries(manifest ?? {}).map(
    ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `${text.replace(/\[\](?=\n\}$)/, () => `{\n${members.join(',\n')}\n  }`)}\n`;
}

const HASHED = [
  ...['format', 'compiler', 'configuration', 'server', 'config', 'inputs', 'published', 'names', 'files'],
  ...['runtime', 'owned', 'package'],
] as (keyof Lock)[];

/** Orders the members that are hashed, as they are printed; what is not there is left out. */
function sortHashedMembers(lock: Lock): Lock {
  return omitUndefined(Object.fromEntries(HASHED.map((name) => [name, lock[name]]))) as unknown as Lock;
}

/** Hashes the members that `sortHashedMembers` lists; without `owned`, only what was emitted. */
export function hashLock(lock: Lock, { owned = true } = {}): string {
  const { owned: ownedFiles, ...rest } = lock;
  return hashContents(
    JSON.stringify(
      sortHashedMembers(owned && ownedFiles !== undefined ? { ...rest, owned: ownedFiles } : rest),
    ),
  );
}

/** Whether the lock is as mcpgen wrote it. */
export function isUneditedLock(lock: Lock): boolean {
  return lock.hash === hashLock(lock);
}

/** Members that a lock may lack, with what they must be. */
const OPTIONAL: Readonly<Record<string, (value: unknown) => boolean>> = {
  configuration: isText,
  server: isText,
  config: isText,
  inputs: isTextRecord,
  published: isRecord,
  runtime: isText,
  owned: isTextRecord,
  package: isRecord,
  hash: isText,
};

/** Reads the text of a lock; `undefined` if it is no lock. Of a newer format, only `format` is read. */
export function parseLock(text: string): Lock | undefined {
  const value = parseObject(text);
  if (value === undefined || typeof value['format'] !== 'number') return undefined;
  const { format, compiler, names, files } = value;
  if (format > lockFormat) return { format, compiler: '', names: {}, files: {} };
  if (typeof compiler !== 'string' || !isTextRecord(names) || !isTextRecord(files)) return undefined;
  // Files it lists may be removed: an edited lock must not reach out of the project.
  if (!Object.keys(files).every(isSafePath)) return undefined;
  const present = Object.keys(OPTIONAL).filter((name) => value[name] !== undefined);
  if (present.some((name) => OPTIONAL[name]?.(value[name]) === false)) return undefined;
  return omitUndefined({
    ...Object.fromEntries(present.map((name) => [name, value[name]])),
    format,
    compiler,
    ...parseNameEntries(names),
    files,
    outputSchemas: value['outputSchemas'] === 'off' ? ('off' as const) : undefined,
    surface: SURFACES.find((name) => name === value['surface']),
    origins: parseLockedOrigins(value['origins']),
    unfinished: parseUnfinished(value['unfinished']),
  });
}

function parseUnfinished(value: unknown): Lock['unfinished'] {
  if (!isRecord(value)) return undefined;
  return { packages: Array.isArray(value['packages']) ? value['packages'].filter(isRecord) : [] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text);
  return isRecord(value) ? value : undefined;
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === 'string');
}

/** Reads the decisions that later runs keep. Locks of before `outputSchemas` have none: output schemas were always listed then. */
export function readLockedDecisions(lock: Lock): {
  nameLock: ReturnType<typeof toLockedNames>;
  lockedOutputs: 'off' | 'listed';
  lockedSurface?: SurfaceName;
} {
  const { outputSchemas: lockedOutputs = 'listed', surface } = lock;
  return { nameLock: toLockedNames(lock), lockedOutputs, ...(surface && { lockedSurface: surface }) };
}
