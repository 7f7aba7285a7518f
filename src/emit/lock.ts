/** `mcpgen.lock`: hashes of the generated files, which `src/write` compares with the disk, and names of tools, which later runs keep. */
import { isDeepStrictEqual } from 'node:util';

import { SURFACES, type SurfaceName } from '../model/listed-items.ts';
import { isRecord, ownMember } from '../../templates/runtime/json-rpc.ts';
import type { NameLock } from '../derive/index.ts';
import { originsOfModel } from '../model/credential-origins.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type GeneratedFile, isSafePath } from './generated-file.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import { hashContents, hashWithoutLayout } from './hash.ts';
import {
  type LockedOrigins,
  listNameEntries,
  parseLockedOrigins,
  parseNameEntries,
  hashOrigins,
} from './lock-entries.ts';
import { packageVersion, placeholderName } from './package-identity.ts';
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
  /** The files that the documents were read from, as paths from the project's folder; URLs are left out. */
  inputs?: string[];
  /** Members of the user's package.json that published files repeat. */
  published?: Record<string, unknown>;
  /**
   * Operation key (`GET /pets/{petId}`, of one of several APIs `PETS GET /pets/{petId}`) → tool name, and operationId if that is
   * another name: an operation is recognised by it when its path changes.
   */
  names: Record<string, string>;
  /** `off`: output schemas were left out by default, and stay so. */
  outputSchemas?: 'off';
  /** The tools that the server lists, if it isn't all or `surface: auto` chose them. */
  surface?: SurfaceName;
  /** Where credentials go, with a hash of its own: see `LockedOrigins`. */
  origins?: LockedOrigins;
  /** Path → hash of each generated file except for the lock. */
  files: Record<string, string>;
  /** Files that a person has taken over: path → hash of the generated text at that time. */
  owned?: Record<string, string>;
  /** `package.json` as it was generated: the base of a merge. */
  package?: Record<string, unknown>;
  /** While a run replaces files: `package.json` as this run, and killed ones before it, have generated it. */
  unfinished?: Record<string, unknown>[];
  /** Hash of the other members; absent while a run replaces files. */
  hash?: string;
  /** A person or a merge has changed the lock. Not in the file. */
  isEdited?: boolean;
}

type LockOptions = Pick<
  EmitOptions,
  'compilerVersion' | 'configuration' | 'provenance' | 'published' | 'names' | 'server'
>;

export function emitLock(model: ServerModel, options: LockOptions, files: GeneratedFile[]): GeneratedFile {
  const { compilerVersion, configuration = CONFIG_PATH, provenance, server, published = {} } = options;
  const generated = files.filter(({ ownership }) => ownership === 'generated');
  const manifest = parseObject(files.find(({ path }) => path === packagePath)?.contents ?? '');
  const contents = printLock({
    format: lockFormat,
    compiler: compilerVersion,
    configuration,
    ...provenance,
    names: listNameEntries(model, options.names),
    origins: hashOrigins(originsOfModel(model)),
    files: Object.fromEntries(generated.map(({ path, contents }) => [path, hashWithoutLayout(contents)])),
    ...omitUndefined({
      server,
      published: Object.keys(published).length === 0 ? undefined : { ...published },
      outputSchemas: model.outputSchemas,
      surface: model.surface,
      package: manifest && { ...manifest, ...listGeneratedValues(model, manifest) },
    }),
  });
  return { path: lockPath, contents, ownership: 'generated' };
}

/** Lists the values that mcpgen generated in package.json: a merge takes all others for the user's. */
function listGeneratedValues(model: ServerModel, manifest: Record<string, unknown>): Record<string, string> {
  const identity = { version: packageVersion(model.version), mcpName: placeholderName(model) };
  return Object.fromEntries(Object.entries(identity).filter(([key]) => key in manifest));
}

/**
 * Prints the lock that holds while files are replaced: the one before (in a new project, the one after), which also accepts the
 * files `generated` of this run.
 */
export function printUnfinishedLock(
  before: Lock | undefined,
  after: Lock,
  generated: readonly Pick<GeneratedFile, 'path'>[],
): string {
  const files = { ...before?.files };
  for (const { path } of generated) {
    const hashes = [ownMember(files, path)?.split(' ') ?? [], ownMember(after.files, path) ?? []].flat();
    files[path] = [...new Set(hashes)].join(' ');
  }
  const unfinished = [...(before?.unfinished ?? []), after.package ?? {}];
  return printJson(pickPrinted({ ...(before ?? after), files, unfinished }));
}

/** `package.json` as it was generated: of killed runs that which is on disk. */
export function findPackageBase(
  { package: base, unfinished = [] }: Lock,
  onDisk: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const written = unfinished
    .flatMap((generated) => Object.entries(generated))
    .filter(([key, value]) => isDeepStrictEqual(onDisk[key], value));
  return base && { ...base, ...Object.fromEntries(written) };
}

export function printLock(lock: Lock): string {
  const members = pickPrinted(lock);
  return printJson({ ...members, hash: hashContents(JSON.stringify(members)) });
}

function pickPrinted(lock: Lock): object {
  const members: Partial<Lock> = { ...lock };
  delete members.hash;
  return omitUndefined(Object.fromEntries(MEMBERS.map(([name]) => [name, members[name]])));
}

function printJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The members in the order of the file, with what they must be. */
const MEMBERS: readonly (readonly [name: keyof Lock, isRight: (value: unknown) => boolean])[] = [
  ['format', (value) => typeof value === 'number'],
  ['compiler', isText],
  ['configuration', isText],
  ['server', isText],
  ['inputs', (value) => Array.isArray(value) && value.every(isText)],
  ['published', isRecord],
  ['names', isTextRecord],
  ['outputSchemas', (value) => value === 'off'],
  ['surface', (value) => SURFACES.some((name) => name === value)],
  // An edited list is ignored: see `parseLockedOrigins`.
  ['origins', () => true],
  // Files it lists may be removed: an edited lock must not reach out of the project.
  ['files', (value) => isTextRecord(value) && Object.keys(value).every(isSafePath)],
  ['owned', isTextRecord],
  ['package', isRecord],
  ['unfinished', (value) => Array.isArray(value) && value.every(isRecord)],
  ['hash', isText],
];

const REQUIRED: readonly string[] = ['format', 'compiler', 'names', 'files'];

/** Reads the text of a lock; `undefined` if it is no lock. Of a newer format, only `format` is read. */
export function parseLock(text: string): Lock | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { format, hash, ...rest } = value;
  if (typeof format === 'number' && format > lockFormat)
    return { format, compiler: '', names: {}, files: {} };
  const present = MEMBERS.filter(([name]) => value[name] !== undefined || REQUIRED.includes(name));
  if (!present.every(([name, isRight]) => isRight(value[name]))) return undefined;
  const lock = Object.fromEntries(present.map(([name]) => [name, value[name]])) as unknown as Lock;
  return omitUndefined({
    ...lock,
    origins: parseLockedOrigins(value['origins']),
    isEdited:
      hash !== undefined && hash !== hashContents(JSON.stringify({ format, ...rest })) ? true : undefined,
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text);
  return isRecord(value) ? value : undefined;
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every(isText);
}

/** Reads the decisions that later runs keep. */
export function readLockedDecisions(lock: Lock): {
  nameLock: NameLock;
  lockedOutputs: 'off' | 'listed';
  lockedSurface?: SurfaceName;
} {
  const { outputSchemas: lockedOutputs = 'listed', surface } = lock;
  return {
    nameLock: parseNameEntries(lock.names),
    lockedOutputs,
    ...(surface && { lockedSurface: surface }),
  };
}
