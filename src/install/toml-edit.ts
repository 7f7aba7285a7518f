/** Adds and removes one table of a TOML file as text, since the library prints no comments; each result is parsed and compared. */
import { isDeepStrictEqual } from 'node:util';
import { TomlError, parse, stringify } from 'smol-toml';
import { ownMember, isRecord } from '../../templates/runtime/json-rpc.ts';
import { UnfitText } from './json-edit.ts';

type Table = Record<string, unknown>;

/** Reads the table at a path; `undefined` if there is none. */
export function getTableAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (table, step) => (isRecord(table) ? ownMember(table, step) : undefined),
    parseToml(text),
  );
}

/** Puts the table at the end of the text, in place of one of its name. */
export function setTableAt(text: string, [group, name]: readonly [string, string], value: Table): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const rest = removeTableAt(text, [group, name]).trimEnd();
  const table = stringify({ [group]: { [name]: value } }).trim();
  const added = `${rest === '' ? '' : `${rest}${eol}${eol}`}${table.replaceAll('\n', eol)}${eol}`;
  const tables = getTableAt(text, [group]);
  const contents = { ...parseToml(text), [group]: { ...(isRecord(tables) ? tables : {}), [name]: value } };
  return checkContents(added, contents, group, name);
}

export function removeTableAt(text: string, [group, name]: readonly [string, string]): string {
  const tables = getTableAt(text, [group]);
  if (!isRecord(tables) || ownMember(tables, name) === undefined) return text;
  let isInTable = false;
  const lines = text.split(/(?<=\n)/).filter((line) => {
    const header = /^\s*\[{1,2}([^\]]*)\]/.exec(line)?.[1]?.replace(/["'\s]/g, '');
    if (header !== undefined) isInTable = `${header}.`.startsWith(`${group}.${name}.`);
    return !isInTable || /^\s*#/.test(line);
  });
  const otherTables = Object.fromEntries(Object.entries(tables).filter(([key]) => key !== name));
  return checkContents(lines.join(''), { ...parseToml(text), [group]: otherTables }, group, name);
}

function parseToml(text: string): Table {
  try {
    // Plain objects, which can be compared; those of the parser have no prototype.
    return structuredClone(parse(text, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split('\n').slice(0, error.line - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
    throw new UnfitText('it is no TOML', offset);
  }
}

/** A group without tables may be gone from the text. */
function checkContents(text: string, contents: Table, group: string, name: string): string {
  try {
    if (isDeepStrictEqual({ [group]: {}, ...parseToml(text) }, { [group]: {}, ...contents })) return text;
  } catch {}
  throw new UnfitText(
    `[${group}.${name}] cannot be written as a table of its own, since the file has "${group}" in another form`,
    0,
  );
}
