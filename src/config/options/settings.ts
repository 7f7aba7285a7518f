/** What each setting of a server may be, whoever states it: a configuration, or a program. */
import { suggest } from '../../../templates/runtime/contract/suggest.ts';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { NAME_LENGTH } from '../../derive/names/name-length.ts';
import {
  isOmittable,
  isPublishTarget,
  isRegistryName,
  OMITTABLE,
  publishTargets,
} from '../../model/published.ts';
import { baseUrlProblem, hostProblem } from './addresses.ts';
import { auth } from './auth.ts';
import type { ServerConfig } from './project-config.ts';
import { routeRules } from './route-rules.ts';
import { bodyMediaTypeProblem, selectorProblem } from './selector.ts';
import { type Check, flag, listOf, objectOf, oneOf, text, textWith } from './shape.ts';
import { helpers, hooks } from './user-code.ts';

const texts = listOf(text, 'must be a list of strings');
const selectors = listOf(textWith(selectorProblem), 'must be a list of strings');

/** Those that concern one document. */
export const DOCUMENT_CHECKS = {
  overlays: listOf(textWith(overlayProblem), 'must be a list of strings'),
  baseUrl: textWith(baseUrlProblem),
  include: selectors,
  exclude: selectors,
  bodyMediaType: listOf(textWith(bodyMediaTypeProblem), 'must be a list of strings'),
  routeMap: (value, path) => (typeof value === 'string' ? text : routeRules)(value, path),
  allowRemoteRefs: listOf(textWith(hostProblem), 'must be a list of strings'),
  refRoot: text,
} satisfies Record<string, Check>;

const typescriptFiles: Check = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? texts(value, path)
    : [{ path, problem: 'must be a list of paths and globs' }];

const typescriptMembers = objectOf(
  { files: typescriptFiles, tsconfig: text },
  'must be an object with "files"',
);

const typescript: Check = (value, path) => [
  ...typescriptMembers(value, path),
  ...(isRecord(value) && value['files'] === undefined
    ? [{ path, problem: 'needs "files", a list of paths and globs' }]
    : []),
];

/** By their names. */
export const CHECKS: Record<Exclude<keyof ServerConfig, 'sources'>, Check> = {
  ...DOCUMENT_CHECKS,
  source: text,
  typescript,
  output: text,
  link: flag,
  name: text,
  serverVersion: text,
  registryName: (value, path) => {
    const [fault] = text(value, path);
    const problem = fault?.problem ?? registryNameProblem(String(value));
    return problem === undefined ? [] : [{ path, problem }];
  },
  maxNameLength: (value, path) => {
    const problem = nameLengthProblem(value);
    return problem === undefined ? [] : [{ path, problem }];
  },
  outputSchema: oneOf('loose', 'strict', 'off'),
  auth,
  publish: listOf(textWith(targetProblem), 'must be a list of strings'),
  omit: listOf(textWith(omitProblem), 'must be a list of strings'),
  templates: text,
  helpers,
  hooks,
  strict: flag,
};

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
    : 'must be your namespace and a name, such as io.github.ada/petstore-mcp';
}

/** Says why a file cannot be left out; `undefined` when it can. */
export function omitProblem(file: string): string | undefined {
  if (isOmittable(file)) return undefined;
  const names = Object.keys(OMITTABLE);
  const near = suggest(file, names);
  return `only these files can be omitted: ${names.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** Says why nothing can be published to a target; `undefined` when something can. */
export function targetProblem(target: string): string | undefined {
  if (isPublishTarget(target)) return undefined;
  const near = suggest(target, publishTargets);
  return `the targets are ${publishTargets.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function overlayProblem(source: string): string | undefined {
  return source === '-' ? 'a later run cannot read standard input again' : undefined;
}
