/** Turns the text of `mcpgen.config.json` into a config. A person may have edited it: each member is checked. */
import type { ProjectConfig } from './project-config.ts';
import { readRouteRules } from './route-rules.ts';
import { bodyMediaTypeProblem, selectorProblem } from './selector.ts';
import { isRecord, isStringList, unknownMember } from './shape.ts';

/** Says what a member's value must be when it is not; `undefined` when it is fine. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a text');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const texts: Check = (value) => (isStringList(value) ? undefined : 'must be a list of texts');
const selectors: Check = (value) => texts(value) ?? listProblem(value, selectorProblem);

const CHECKS: Record<keyof ProjectConfig, Check> = {
  source: text,
  typescript: (value) => typescriptProblem(value),
  name: text,
  serverVersion: text,
  baseUrl: text,
  include: selectors,
  exclude: selectors,
  bodyMediaType: (value) => texts(value) ?? listProblem(value, bodyMediaTypeProblem),
  routeMap: (value) => (typeof value === 'string' ? text(value) : rulesProblem(value)),
  maxNameLength: (value) => nameLengthProblem(value),
  outputSchema: (value) => (isOutputSchemaMode(value) ? undefined : 'must be one of loose, strict, off'),
  templates: text,
  strict: flag,
  allowRemoteRefs: texts,
  refRoot: text,
};

/** The config, or what is wrong with it, in words that end a sentence. */
export function parseConfig(source: string): ProjectConfig | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isRecord(value)) return { problem: 'it is not a JSON object' };
  return isConfig(value) ? value : { problem: configProblem(value) ?? '' };
}

/** Members that are wrong, unknown or missing. */
function configProblem(value: Record<string, unknown>): string | undefined {
  const stranger = unknownMember(value, ['$schema', ...Object.keys(CHECKS)]);
  if (stranger !== undefined) return `it ${stranger}`;
  for (const [member, check] of Object.entries(CHECKS)) {
    const problem = value[member] === undefined ? undefined : check(value[member]);
    if (problem !== undefined) return `"${member}" ${problem}`;
  }
  if (value['source'] !== undefined && value['typescript'] !== undefined)
    return 'it has both "source" and "typescript", and one is compiled';
  return value['source'] === undefined && value['typescript'] === undefined
    ? 'it has no "source", the document to compile, and no "typescript"'
    : undefined;
}

function isConfig(value: Record<string, unknown>): value is Record<string, unknown> & ProjectConfig {
  return configProblem(value) === undefined;
}

/** How long tool names may be made: below 16 none could hold the hash that keeps it unique. */
export function nameLengthProblem(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 16 && value <= 128
    ? undefined
    : 'must be a whole number from 16 to 128';
}

export function isOutputSchemaMode(value: unknown): value is 'loose' | 'strict' | 'off' {
  return value === 'loose' || value === 'strict' || value === 'off';
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

function rulesProblem(value: unknown): string | undefined {
  const rules = readRouteRules(value);
  return 'problem' in rules ? `is not usable: ${rules.problem}` : undefined;
}
