/** Checks what a configuration says. A person may have written it: each member is checked, and all that is wrong is said. */
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { Fault, Faulty, Path } from './fault.ts';
import { type Environment, interpolate } from '../load/interpolate.ts';
import { sourcesCheck } from './parse-sources.ts';
import type { ProjectConfig } from './project-config.ts';
import { hasFunctions, NOT_SHARED, withShared } from './servers.ts';
import { checksOf } from './rows.ts';
import { memberFaults, unknownMembers } from './shape.ts';

const DOCUMENT_CHECKS = checksOf('document');
const CHECKS = checksOf('input', 'document', 'server', 'project');
const KNOWN = ['$schema', 'servers', ...Object.keys(CHECKS)];

/** What to compile: one of these. */
const SOURCES = ['source', 'typescript', 'sources'];

/** The config of a text of JSON, or what is wrong with it. Variables that `env` does not have stay as they are written. */
export function parseConfig(source: string, env: Environment = {}): ProjectConfig | Faulty {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { faults: [{ path: [], problem: `is not JSON (${reason})` }] };
  }
  return checkConfig(interpolate(value, env).value);
}

/** The value as a config, or what is wrong with it. */
export function checkConfig(value: unknown): ProjectConfig | Faulty {
  const faults = configFaults(value);
  return isConfig(value, faults.length === 0) ? value : { faults };
}

export function isFaulty(config: ProjectConfig | Faulty): config is Faulty {
  return 'faults' in config;
}

function isConfig(value: unknown, isSound: boolean): value is ProjectConfig {
  return isSound && isRecord(value);
}

function configFaults(value: unknown): Fault[] {
  if (!isRecord(value)) return [{ path: [], problem: 'is not an object' }];
  const found = [...unknownMembers(value, KNOWN, []), ...settingFaults(value, [], value['maxNameLength'])];
  if (value['servers'] !== undefined) return [...found, ...serversFaults(value)];
  return [...found, ...serverFaults(value, () => [])];
}

/** What is wrong with each setting by itself. */
function settingFaults(value: Record<string, unknown>, path: Path, maxNameLength: unknown): Fault[] {
  return memberFaults(value, { ...CHECKS, sources: sourcesCheck(DOCUMENT_CHECKS, maxNameLength) }, path);
}

function serversFaults(value: Record<string, unknown>): Fault[] {
  const { servers } = value;
  if (!isRecord(servers) || Object.keys(servers).length === 0) {
    const problem = 'must be an object with at least one named server: { "pets": { "source": … } }';
    return [{ path: ['servers'], problem }];
  }
  const found = [
    ...NOT_SHARED.filter((member) => value[member] !== undefined).map((member) => ({
      path: [member],
      problem: 'belongs inside a server; members beside "servers" apply to all servers',
    })),
    ...Object.entries(servers).flatMap(([name, server]) => namedServerFaults(name, server, value)),
  ];
  // What is wrong with a shared setting is wrong for each server, and said once.
  return [...new Map(found.map((fault) => [JSON.stringify(fault), fault])).values()];
}

function namedServerFaults(name: string, server: unknown, shared: Record<string, unknown>): Fault[] {
  const path = ['servers', name];
  const named = /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)
    ? []
    : [{ path: ['servers'], problem: `has a server ${JSON.stringify(name)}; ${SERVER_NAME}`, key: name }];
  if (!isRecord(server)) return [...named, { path, problem: 'must be an object, such as { "source": … }' }];
  const all = withShared(shared, server, name);
  return [
    ...named,
    ...unknownMembers(server, Object.keys(CHECKS), path),
    ...settingFaults(server, path, all['maxNameLength']),
    ...serverFaults(all, (member) => (member in server || !(member in shared) ? path : [])),
  ];
}

const SERVER_NAME =
  'server names start with a lower-case letter or digit and contain only lower-case letters, digits, "_", "-" and ".", at most 64';

/** What is wrong with the settings of a server as a whole. `homeOf` is where a member stands, or should. */
function serverFaults(value: Record<string, unknown>, homeOf: (member: string) => Path): Fault[] {
  const [first, second] = SOURCES.filter((member) => value[member] !== undefined);
  if (first === undefined) {
    // A misspelt member may be the one.
    if (Object.keys(value).some((key) => !KNOWN.includes(key))) return [];
    const problem = 'needs "source" (the document to compile), "typescript" or "sources"';
    return [{ path: homeOf('source'), problem }];
  }
  const path = homeOf(first);
  if (second !== undefined)
    return [{ path, problem: `has both "${first}" and "${second}"; keep one`, key: second }];
  const { link, sources } = value;
  return [
    ...(link === true && !hasFunctions(value)
      ? [
          {
            path: [...homeOf('link'), 'link'],
            problem: 'applies to functions, but no source is "typescript"',
          },
        ]
      : []),
    ...(value['helpers'] !== undefined && value['templates'] === undefined
      ? [
          {
            path: [...homeOf('helpers'), 'helpers'],
            problem: 'need "templates", the folder of the templates that call them',
          },
        ]
      : []),
    ...(Array.isArray(sources) ? strayFaults(value, sources, homeOf) : []),
  ];
}

/** Of several documents none could be meant by what stands at the top. */
function strayFaults(
  value: Record<string, unknown>,
  sources: unknown[],
  homeOf: (member: string) => Path,
): Fault[] {
  const documents = sources.filter((source) => isRecord(source) && 'openapi' in source).length;
  if (documents === 1) return [];
  return Object.keys(DOCUMENT_CHECKS)
    .filter((member) => value[member] !== undefined)
    .map((member) => ({
      path: [...homeOf(member), member],
      problem: `belongs beside one "openapi", since "sources" has ${documents} of them`,
    }));
}
