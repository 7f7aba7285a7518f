/** Checks what a configuration says. A person may have written it: each member is checked. */
import { NAME_LENGTH } from '../derive/name-length.ts';
import { nearest } from '../derive/nearest.ts';
import { isOmittable, isRegistryName, OMITTABLE } from '../model/published.ts';
import { authProblem } from './auth.ts';
import { type Check, sourcesProblem } from './parse-sources.ts';
import type { ProjectConfig } from './project-config.ts';
import { readRouteRules } from './route-rules.ts';
import { bodyMediaTypeProblem, selectorProblem } from './selector.ts';
import { isRecord, isStringList, unknownMember } from './shape.ts';

const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a text');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const texts: Check = (value) => (isStringList(value) ? undefined : 'must be a list of texts');
const selectors: Check = (value) => texts(value) ?? listProblem(value, selectorProblem);

/** What concerns one document. */
const DOCUMENT_CHECKS = {
  overlays: (value) => texts(value) ?? listProblem(value, overlayProblem),
  baseUrl: text,
  include: selectors,
  exclude: selectors,
  bodyMediaType: (value) => texts(value) ?? listProblem(value, bodyMediaTypeProblem),
  routeMap: (value) => (typeof value === 'string' ? text(value) : rulesProblem(value)),
  allowRemoteRefs: texts,
  refRoot: text,
} satisfies Record<string, Check>;

const CHECKS: Record<Exclude<keyof ProjectConfig, 'sources'>, Check> = {
  ...DOCUMENT_CHECKS,
  source: text,
  typescript: (value) => typescriptProblem(value),
  output: text,
  link: flag,
  name: text,
  serverVersion: text,
  registryName: (value) => text(value) ?? registryNameProblem(String(value)),
  maxNameLength: (value) => nameLengthProblem(value),
  outputSchema: (value) => (isOutputSchemaMode(value) ? undefined : 'must be one of loose, strict, off'),
  auth: authProblem,
  omit: (value) => texts(value) ?? listProblem(value, omitProblem),
  templates: text,
  strict: flag,
};

/** What to compile: one of these. */
const SOURCES = ['source', 'typescript', 'sources'];

/** The config of a text of JSON, or what is wrong with it, in words that end a sentence. */
export function parseConfig(source: string): ProjectConfig | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  return isRecord(value) ? checkConfig(value) : { problem: 'it is not a JSON object' };
}

/** The value as a config, or what is wrong with it, in words that end a sentence. */
export function checkConfig(value: unknown): ProjectConfig | { problem: string } {
  if (!isRecord(value)) return { problem: 'it is not an object' };
  return isConfig(value) ? value : { problem: configProblem(value) ?? '' };
}

/** Members that are wrong, unknown or missing. */
function configProblem(value: Record<string, unknown>): string | undefined {
  const stranger = unknownMember(value, ['$schema', 'sources', ...Object.keys(CHECKS)]);
  if (stranger !== undefined) return `it ${stranger}`;
  for (const [member, check] of Object.entries(CHECKS)) {
    const problem = value[member] === undefined ? undefined : check(value[member]);
    if (problem !== undefined) return `"${member}" ${problem}`;
  }
  const [first, second] = SOURCES.filter((member) => value[member] !== undefined);
  if (first === undefined)
    return 'it has no "source", the document to compile, and no "typescript" or "sources"';
  if (second !== undefined) return `it has both "${first}" and "${second}", and one is compiled`;
  if (value['link'] === true && !hasFunctions(value))
    return '"link" says where code of functions stands, and no source has any: it goes with "typescript"';
  return first === 'sources' ? severalProblem(value) : undefined;
}

function hasFunctions({ typescript, sources }: Record<string, unknown>): boolean {
  const several: unknown[] = Array.isArray(sources) ? sources : [];
  return typescript !== undefined || several.some((source) => isRecord(source) && 'typescript' in source);
}

/** Of several documents none could be meant by what stands at the top. */
function severalProblem(value: Record<string, unknown>): string | undefined {
  const { sources, maxNameLength } = value;
  const problem = sourcesProblem(sources, DOCUMENT_CHECKS, maxNameLength);
  if (problem !== undefined || !Array.isArray(sources)) return problem;
  const documents = sources.filter((source) => isRecord(source) && 'openapi' in source).length;
  const stray = Object.keys(DOCUMENT_CHECKS).find((member) => value[member] !== undefined);
  return stray === undefined || documents === 1
    ? undefined
    : `"${stray}" belongs beside the "openapi" that it concerns, since "sources" has ${documents} of them`;
}

function isConfig(value: Record<string, unknown>): value is Record<string, unknown> & ProjectConfig {
  return configProblem(value) === undefined;
}

/** How long tool names may be made. */
export function nameLengthProblem(value: unknown): string | undefined {
  const { shortest, longest } = NAME_LENGTH;
  return typeof value === 'number' && Number.isInteger(value) && value >= shortest && value <= longest
    ? undefined
    : `must be a whole number from ${shortest} to ${longest}`;
}

export function isOutputSchemaMode(value: unknown): value is 'loose' | 'strict' | 'off' {
  return value === 'loose' || value === 'strict' || value === 'off';
}

/** Says what is wrong with a name in the MCP registry; `undefined` when nothing is. */
export function registryNameProblem(name: string): string | undefined {
  return isRegistryName(name)
    ? undefined
    : 'must be a namespace of yours and a name, such as io.github.ada/petstore-mcp';
}

/** Says why a file cannot be left out; `undefined` when it can. */
export function omitProblem(file: string): string | undefined {
  if (isOmittable(file)) return undefined;
  const names = Object.keys(OMITTABLE);
  const near = nearest(file, names);
  return `only these can be left out: ${names.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function typescriptProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'must be an object with "files"';
  const stranger = unknownMember(value, ['files', 'tsconfig']);
  if (stranger !== undefined) return stranger;
  const { files, tsconfig } = value;
  if (!isStringList(files) || files.length === 0) return 'needs "files", a list of paths and globs';
  return tsconfig === undefined ? undefined : text(tsconfig) && 'has a "tsconfig" that is no path';
}

function listProblem(value: unknown, problemOf: (text: string) => string | undefined): string | undefined {
  if (!isStringList(value)) return undefined;
  for (const each of value) {
    const problem = problemOf(each);
    if (problem !== undefined) return `has "${each}"; ${problem}`;
  }
  return undefined;
}

function overlayProblem(source: string): string | undefined {
  if (source === '') return 'an overlay is a path or a URL';
  return source === '-' ? 'standard input is gone when it is compiled again' : undefined;
}

function rulesProblem(value: unknown): string | undefined {
  const rules = readRouteRules(value);
  return 'problem' in rules ? `is not usable: ${rules.problem}` : undefined;
}
