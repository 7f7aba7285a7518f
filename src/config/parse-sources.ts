/** The list `sources` of a configuration. A person wrote it: each member is checked. */
import { NAME_LENGTH } from '../derive/name-length.ts';
import { isRecord, isStringList, unknownMember } from './shape.ts';

/** Says what a value must be when it is not; `undefined` when it is fine. */
export type Check = (value: unknown) => string | undefined;

const path: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a path, a text that is not empty';

const LONGEST_PREFIX = 32;

/** `documentChecks` are those of the members that a document has here as at the top. */
export function sourcesProblem(
  value: unknown,
  documentChecks: Record<string, Check>,
  maxNameLength: unknown,
): string | undefined {
  if (!Array.isArray(value) || value.length === 0)
    return '"sources" must be a list of one source or more: { "openapi": … } or { "typescript": … }';
  const kinds: Record<Kind, Record<string, Check>> = {
    openapi: { openapi: documentPath, prefix: prefixIn(maxNameLength), ...documentChecks },
    typescript: { typescript: filesProblem, prefix: prefixIn(maxNameLength), tsconfig: path },
  };
  for (const [index, source] of value.entries()) {
    const problem = sourceProblem(source, kinds);
    if (problem !== undefined) return `"sources[${index}]${problem}`;
  }
  return tsconfigProblem(value);
}

const KINDS = ['openapi', 'typescript'] as const;
type Kind = (typeof KINDS)[number];

/** Goes on after `"sources[0]`. */
function sourceProblem(source: unknown, kinds: Record<Kind, Record<string, Check>>): string | undefined {
  if (!isRecord(source)) return '" must be an object, such as { "openapi": "api.yaml" }';
  const stated = KINDS.filter((kind) => source[kind] !== undefined);
  const [kind] = stated;
  if (kind === undefined) {
    const stranger = unknownMember(source, [
      ...KINDS,
      ...Object.keys({ ...kinds.openapi, ...kinds.typescript }),
    ]);
    return `" needs "openapi", a document, or "typescript", files of functions${stranger === undefined ? '' : `; it ${stranger}`}`;
  }
  if (stated.length > 1) return '" has both "openapi" and "typescript"; make two sources of it';
  const stranger = unknownMember(source, Object.keys(kinds[kind]));
  if (stranger !== undefined) return `" ${stranger}`;
  for (const [member, check] of Object.entries(kinds[kind])) {
    const problem = source[member] === undefined ? undefined : check(source[member]);
    if (problem !== undefined) return `.${member}" ${problem}`;
  }
  return undefined;
}

function documentPath(value: unknown): string | undefined {
  return value === '-'
    ? 'must be a file or a URL: standard input is gone when it is compiled again'
    : path(value);
}

function filesProblem(value: unknown): string | undefined {
  const isFine = isStringList(value) ? value.length > 0 && !value.includes('') : path(value) === undefined;
  return isFine ? undefined : 'must be a path or glob, or a list of such';
}

function prefixIn(maxNameLength: unknown): Check {
  const longest = typeof maxNameLength === 'number' ? maxNameLength : NAME_LENGTH.default;
  return (value) => {
    if (typeof value !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(value))
      return 'must begin with a letter or a digit, and hold letters, digits, "_", "-" and "." alone, as names of tools do';
    if (value.length > LONGEST_PREFIX) return `must have ${LONGEST_PREFIX} characters at most`;
    return longest - value.length >= NAME_LENGTH.shortest
      ? undefined
      : `leaves names fewer than ${NAME_LENGTH.shortest} of the ${longest} characters that "maxNameLength" gives them`;
  };
}

/** Functions of one server are one program. */
function tsconfigProblem(sources: unknown[]): string | undefined {
  const stated = sources.flatMap((source, index) =>
    isRecord(source) && source['tsconfig'] !== undefined ? [{ index, file: source['tsconfig'] }] : [],
  );
  const [first] = stated;
  const other = stated.find(({ file }) => file !== first?.file);
  if (first === undefined || other === undefined) return undefined;
  return (
    `"sources[${other.index}].tsconfig" is another than that of sources[${first.index}], and the functions of a server ` +
    'are compiled as one program; name one tsconfig.json that fits all of them'
  );
}
