/** Checks a configuration. Each member is checked, and all faults are reported. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { type Environment, fillInVariables } from '../load/interpolate.ts';
import type { ProjectConfig, ServerConfig } from './project-config.ts';
import { pickChecks } from './rows.ts';
import {
  type Check,
  type Fault,
  type Faulty,
  type Path,
  checkMembers,
  text,
  makeTextCheck,
  findUnknownMembers,
  describeUnknownWord,
} from './shape.ts';
import { findOverlaySourceProblem, makePrefixCheck } from './values.ts';

const DOCUMENT_CHECKS = pickChecks('document');
const CHECKS = pickChecks('input', 'document', 'server', 'project');
const KNOWN = ['$schema', 'servers', ...Object.keys(CHECKS)];

/** Parses a configuration in JSON. Variables that `env` does not have stay as they are written. */
export function parseConfig(source: string, env: Environment = {}): ProjectConfig | Faulty {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { faults: [{ path: [], problem: `is not JSON (${reason})` }] };
  }
  return checkConfig(fillInVariables(value, env).value);
}

export function checkConfig(value: unknown): ProjectConfig | Faulty {
  const faults = configFaults(value);
  return faults.length === 0 ? (value as ProjectConfig) : { faults };
}

export function isFaulty(config: ProjectConfig | Faulty): config is Faulty {
  return 'faults' in config;
}

function configFaults(value: unknown): Fault[] {
  if (!isRecord(value)) return [{ path: [], problem: 'is not an object' }];
  const faults = [
    ...findUnknownMembers(value, KNOWN, []),
    ...settingFaults(value, [], value['maxNameLength']),
  ];
  if (value['servers'] !== undefined) return [...faults, ...serversFaults(value)];
  return [...faults, ...findServerSourceFaults(value, () => [])];
}

function settingFaults(value: Record<string, unknown>, path: Path, maxNameLength: unknown): Fault[] {
  return checkMembers(value, { ...CHECKS, sources: makeSourcesCheck(DOCUMENT_CHECKS, maxNameLength) }, path);
}

function serversFaults(value: Record<string, unknown>): Fault[] {
  const { servers } = value;
  if (!isRecord(servers) || Object.keys(servers).length === 0) {
    const problem = 'must be an object with at least one named server: { "pets": { "source": … } }';
    return [{ path: ['servers'], problem }];
  }
  const faults = [
    ...NOT_SHARED.filter((member) => value[member] !== undefined).map((member) => ({
      path: [member],
      problem: 'belongs inside a server; members beside "servers" apply to all servers',
    })),
    ...Object.entries(servers).flatMap(([name, server]) => namedServerFaults(name, server, value)),
  ];
  // A fault of a shared setting is found for each server, and reported once.
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

function namedServerFaults(name: string, server: unknown, shared: Record<string, unknown>): Fault[] {
  const path = ['servers', name];
  const nameFaults = /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)
    ? []
    : [{ path: ['servers'], problem: `has a server ${JSON.stringify(name)}; ${SERVER_NAME}`, key: name }];
  if (!isRecord(server))
    return [...nameFaults, { path, problem: 'must be an object, such as { "source": … }' }];
  const all = addSharedSettings(shared, server, name);
  return [
    ...nameFaults,
    ...findUnknownMembers(server, Object.keys(CHECKS), path),
    ...settingFaults(server, path, all['maxNameLength']),
    ...findServerSourceFaults(all, (member) => (member in server || !(member in shared) ? path : [])),
  ];
}

const SERVER_NAME =
  'server names start with a lower-case letter or digit and contain only lower-case letters, digits, "_", "-" and ".", at most 64';

function findServerSourceFaults(
  value: Record<string, unknown>,
  parentPath: (member: string) => Path,
): Fault[] {
  const [first, second] = SOURCES.filter((member) => value[member] !== undefined);
  if (first === undefined) {
    // The source may be there under a misspelt name, which is reported elsewhere.
    if (Object.keys(value).some((key) => !KNOWN.includes(key))) return [];
    const problem = 'needs "source" (the document to compile), "typescript" or "sources"';
    return [{ path: parentPath('source'), problem }];
  }
  const path = parentPath(first);
  if (second !== undefined)
    return [{ path, problem: `has both "${first}" and "${second}"; keep one`, key: second }];
  const { link, sources } = value;
  const makeMemberFault = (member: string, problem: string): Fault => ({
    path: [...parentPath(member), member],
    problem,
  });
  const faults = Array.isArray(sources) ? findAmbiguousOptions(value, sources, makeMemberFault) : [];
  if (link === true && !hasFunctions(value))
    faults.unshift(makeMemberFault('link', 'applies to functions, but no source is "typescript"'));
  return faults;
}

/** Finds options of a document beside `sources`, which are ambiguous unless there is one document. */
function findAmbiguousOptions(
  value: Record<string, unknown>,
  sources: unknown[],
  fault: (member: string, problem: string) => Fault,
): Fault[] {
  const documents = sources.filter((source) => isRecord(source) && 'openapi' in source).length;
  if (documents === 1) return [];
  return Object.keys(DOCUMENT_CHECKS)
    .filter((member) => value[member] !== undefined)
    .map((member) => fault(member, `belongs beside one "openapi", since "sources" has ${documents} of them`));
}

/** Settings that several servers cannot share. */
const NOT_SHARED = ['output', 'name'] as const;

/** The members for sources, of which a server has one. A server with its own takes none from the shared settings. */
const SOURCES = ['source', 'typescript', 'sources'];

export interface NamedServer {
  server?: string;
  config: ServerConfig;
}

export function listServers({ servers, ...shared }: ProjectConfig): NamedServer[] {
  if (servers === undefined) return [{ config: shared }];
  return Object.entries(servers).map(([server, serverConfig]) => ({
    server,
    config: addSharedSettings(shared, serverConfig, server),
  }));
}

export function addSharedSettings<T extends object>(shared: T, specific: T, server: string): T {
  const isOfItsOwn = SOURCES.some((member) => member in specific);
  const sharedMembers = omitMembers(shared, ['servers', ...NOT_SHARED, ...(isOfItsOwn ? SOURCES : [])]);
  const all = { name: server, output: server, ...sharedMembers, ...specific };
  return hasFunctions(all) || 'link' in specific ? all : { ...omitMembers(all, ['link']), ...specific };
}

function hasFunctions(config: object): boolean {
  const several: unknown = 'sources' in config ? config.sources : [];
  return (
    'typescript' in config ||
    (Array.isArray(several) && several.some((source) => isRecord(source) && 'typescript' in source))
  );
}

function omitMembers<T extends object>(value: T, members: readonly string[]): Partial<T> {
  const rest: Partial<T> = { ...value };
  for (const member of members) Reflect.deleteProperty(rest, member);
  return rest;
}

const KINDS = ['openapi', 'typescript'] as const;

export function makeSourcesCheck(documentChecks: Record<string, Check>, maxNameLength: unknown): Check {
  const prefix = makePrefixCheck(maxNameLength);
  const members = {
    openapi: { openapi: documentPath, prefix, ...documentChecks },
    typescript: { typescript: checkFilePatterns, prefix, tsconfig: text },
  };
  return (value, path) =>
    Array.isArray(value) && value.length > 0
      ? [
          ...value.flatMap((source: unknown, index) => sourceFaults(source, [...path, index], members)),
          ...findTsconfigConflicts(value, path),
        ]
      : [{ path, problem: 'must be a list of at least one source: { "openapi": … } or { "typescript": … }' }];
}

function sourceFaults(
  source: unknown,
  path: Path,
  members: Record<(typeof KINDS)[number], Record<string, Check>>,
): Fault[] {
  if (!isRecord(source)) return [{ path, problem: 'must be an object, such as { "openapi": "api.yaml" }' }];
  const [kind, other] = KINDS.filter((kind) => source[kind] !== undefined);
  if (kind === undefined)
    return [sourceKindFault(source, path, Object.assign({}, ...Object.values(members)))];
  if (other !== undefined)
    return [{ path, problem: 'has both "openapi" and "typescript"; split it into two sources' }];
  const checks = members[kind];
  return [...findUnknownMembers(source, Object.keys(checks), path), ...checkMembers(source, checks, path)];
}

function sourceKindFault(source: Record<string, unknown>, path: Path, kinds: object): Fault {
  const stranger = Object.keys(source).find((key) => !Object.hasOwn(kinds, key));
  const unknown =
    stranger === undefined
      ? ''
      : `; it has an unknown member ${describeUnknownWord(stranger, [...KINDS, ...Object.keys(kinds)])}`;
  return { path, problem: `needs "openapi", a document, or "typescript", files of functions${unknown}` };
}

const documentPath = makeTextCheck(findOverlaySourceProblem);

const checkFilePatterns: Check = (value, path) => {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const isFine = all.length > 0 && all.every((item) => typeof item === 'string' && item !== '');
  return isFine ? [] : [{ path, problem: 'must be a path or glob, or a list of them' }];
};

/** All functions of a server compile as one program, so they need the same `tsconfig`. */
function findTsconfigConflicts(sources: unknown[], path: Path): Fault[] {
  const stated = sources.flatMap((source, index) =>
    isRecord(source) && source['tsconfig'] !== undefined ? [{ index, file: source['tsconfig'] }] : [],
  );
  const [first, ...moreKinds] = stated;
  return moreKinds
    .filter(({ file }) => file !== first?.file)
    .map(({ index }) => ({
      path: [...path, index, 'tsconfig'],
      problem:
        `differs from that of sources[${first?.index ?? 0}], but the functions of a server ` +
        'compile as one program; use one tsconfig.json for all of them',
    }));
}
