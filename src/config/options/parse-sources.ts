import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { Fault, Path } from './fault.ts';
import { type Check, memberFaults, text, textWith, unknownMembers, unknownWords } from './shape.ts';
import { overlayProblem, prefixFor } from './values.ts';

const KINDS = ['openapi', 'typescript'] as const;

/** Checks the list `sources`. `documentChecks` are those of the options of a document. */
export function sourcesCheck(documentChecks: Record<string, Check>, maxNameLength: unknown): Check {
  const prefix = prefixFor(maxNameLength);
  const members = {
    openapi: { openapi: documentPath, prefix, ...documentChecks },
    typescript: { typescript: files, prefix, tsconfig: text },
  };
  return (value, path) =>
    Array.isArray(value) && value.length > 0
      ? [
          ...value.flatMap((source: unknown, index) => sourceFaults(source, [...path, index], members)),
          ...tsconfigFaults(value, path),
        ]
      : [{ path, problem: 'must be a list of at least one source: { "openapi": … } or { "typescript": … }' }];
}

function sourceFaults(
  source: unknown,
  path: Path,
  members: Record<(typeof KINDS)[number], Record<string, Check>>,
): Fault[] {
  if (!isRecord(source)) return [{ path, problem: 'must be an object, such as { "openapi": "api.yaml" }' }];
  const [kind, other] = KINDS.filter((each) => source[each] !== undefined);
  if (kind === undefined) return [needsKind(source, path, Object.assign({}, ...Object.values(members)))];
  if (other !== undefined)
    return [{ path, problem: 'has both "openapi" and "typescript"; split it into two sources' }];
  const known = members[kind];
  return [...unknownMembers(source, Object.keys(known), path), ...memberFaults(source, known, path)];
}

function needsKind(source: Record<string, unknown>, path: Path, known: object): Fault {
  const stranger = Object.keys(source).find((key) => !Object.hasOwn(known, key));
  const unknown =
    stranger === undefined
      ? ''
      : `; it has an unknown member ${unknownWords(stranger, [...KINDS, ...Object.keys(known)])}`;
  return { path, problem: `needs "openapi", a document, or "typescript", files of functions${unknown}` };
}

const documentPath = textWith(overlayProblem);

const files: Check = (value, path) => {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const isFine = all.length > 0 && all.every((each) => typeof each === 'string' && each !== '');
  return isFine ? [] : [{ path, problem: 'must be a path or glob, or a list of them' }];
};

/** All functions of a server compile as one program, so they need the same `tsconfig`. */
function tsconfigFaults(sources: unknown[], path: Path): Fault[] {
  const stated = sources.flatMap((source, index) =>
    isRecord(source) && source['tsconfig'] !== undefined ? [{ index, file: source['tsconfig'] }] : [],
  );
  const [first, ...others] = stated;
  return others
    .filter(({ file }) => file !== first?.file)
    .map(({ index }) => ({
      path: [...path, index, 'tsconfig'],
      problem:
        `differs from that of sources[${first?.index ?? 0}], but the functions of a server ` +
        'compile as one program; use one tsconfig.json for all of them',
    }));
}
