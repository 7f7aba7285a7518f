/** Checks of single options. A function `…Problem` returns a clause, or `undefined` for a valid value. */
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
import { type Check, must, objectOf, text, texts } from './shape.ts';

const typescriptFiles: Check = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? texts(value, path)
    : [{ path, problem: 'must be a list of paths and globs' }];

const typescriptMembers = objectOf(
  { files: typescriptFiles, tsconfig: text },
  'must be an object with "files"',
);

export const typescript: Check = (value, path) => {
  const found = typescriptMembers(value, path);
  if (isRecord(value) && value['files'] === undefined)
    found.push({ path, problem: 'needs "files", a list of paths and globs' });
  return found;
};

export const nameLength = must(
  (value) =>
    Number.isInteger(value) && Number(value) >= NAME_LENGTH.shortest && Number(value) <= NAME_LENGTH.longest,
  `must be a whole number from ${NAME_LENGTH.shortest} to ${NAME_LENGTH.longest}`,
);

const LONGEST_PREFIX = 32;

/** The prefix must leave enough characters for names. */
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

export function registryNameProblem(name: string): string | undefined {
  return isRegistryName(name)
    ? undefined
    : 'it must be your namespace and a name, such as io.github.ada/petstore-mcp';
}

export function omitProblem(file: string): string | undefined {
  const names = Object.keys(OMITTABLE);
  return isOmittable(file) ? undefined : `only these files can be omitted: ${listChoices(file, names)}`;
}

export function targetProblem(target: string): string | undefined {
  return isPublishTarget(target) ? undefined : `the targets are ${listChoices(target, publishTargets)}`;
}

export function featureProblem(name: string): string | undefined {
  if (FEATURE_NAMES.includes(name)) return undefined;
  const addedBy = FEATURES.find((feature) => feature.name === name)?.addedBy;
  if (addedBy !== undefined) return `${name} is not added by name: ${addedBy.replace(/\.$/, '')}`;
  return `the features are ${listChoices(name, FEATURE_NAMES)}`;
}

function listChoices(wrong: string, choices: readonly string[]): string {
  const near = suggest(wrong, choices);
  return `${choices.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

export function overlayProblem(source: string): string | undefined {
  return source === '-' ? 'a later run cannot read standard input again' : undefined;
}

export function variableProblem(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : 'it must be the name of a variable, such as API_DOCS_HOST';
}
