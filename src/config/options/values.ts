/** Checks of single options. */
import { suggest } from '../../../templates/runtime/contract/suggest.ts';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { FEATURES } from '../../../templates/runtime/features.ts';
import { NAME_LENGTH } from './name-length.ts';
import { FEATURE_NAMES } from '../../model/features.ts';
import {
  isOmittable,
  isPublishTarget,
  isRegistryName,
  OMITTABLE,
  publishTargets,
} from '../../model/published.ts';
import { type Check, listOf, must, objectOf, text } from './shape.ts';

const texts = listOf(text, 'must be a list of strings');

const typescriptFiles: Check = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? texts(value, path)
    : [{ path, problem: 'must be a list of paths and globs' }];

const typescriptMembers = objectOf(
  { files: typescriptFiles, tsconfig: text },
  'must be an object with "files"',
);

export const typescript: Check = (value, path) => [
  ...typescriptMembers(value, path),
  ...(isRecord(value) && value['files'] === undefined
    ? [{ path, problem: 'needs "files", a list of paths and globs' }]
    : []),
];

export const nameLength = must(
  (value) =>
    Number.isInteger(value) && Number(value) >= NAME_LENGTH.shortest && Number(value) <= NAME_LENGTH.longest,
  `must be a whole number from ${NAME_LENGTH.shortest} to ${NAME_LENGTH.longest}`,
);

const LONGEST_PREFIX = 32;

/** Names keep enough characters beside the prefix. */
export function prefixFor(maxNameLength: unknown): Check {
  const longest = typeof maxNameLength === 'number' ? maxNameLength : NAME_LENGTH.default;
  return (value, path) => {
    const problem = prefixProblem(value, longest);
    return problem === undefined ? [] : [{ path, problem }];
  };
}

function prefixProblem(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(value))
    return 'must start with a letter or digit and contain only letters, digits, "_", "-" and ".", like tool names';
  if (value.length > LONGEST_PREFIX) return `must have at most ${LONGEST_PREFIX} characters`;
  return longest - value.length >= NAME_LENGTH.shortest
    ? undefined
    : `leaves fewer than ${NAME_LENGTH.shortest} of the ${longest} characters that "maxNameLength" allows for names`;
}

/** Says what is wrong with a name in the MCP registry; `undefined` when nothing is. */
export function registryNameProblem(name: string): string | undefined {
  return isRegistryName(name)
    ? undefined
    : 'it must be your namespace and a name, such as io.github.ada/petstore-mcp';
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

/** Says why a configuration cannot name a feature; `undefined` when it can. */
export function featureProblem(name: string): string | undefined {
  if (FEATURE_NAMES.includes(name)) return undefined;
  const addedBy = FEATURES.find((feature) => feature.name === name)?.addedBy;
  if (addedBy !== undefined) return `${name} is not added by name: ${addedBy.replace(/\.$/, '')}`;
  const near = suggest(name, FEATURE_NAMES);
  return `the features are ${FEATURE_NAMES.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** A later run can't read standard input again. */
export function overlayProblem(source: string): string | undefined {
  return source === '-' ? 'a later run cannot read standard input again' : undefined;
}

export function variableProblem(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : 'it must be the name of a variable, such as API_DOCS_HOST';
}
