/** Adds and removes one table of a TOML file as text; each result is parsed and compared with what it should say. */
import { isDeepStrictEqual } from 'node:util';
import { TomlError, parse, stringify } from 'smol-toml';
import { getOwnMember, isRecord } from '../../templates/runtime/contract/json-value.ts';
import { UnfitText } from './json-edit.ts';

type Table = Record<string, unknown>;

/** Reads the table at a path; `undefined` if there is none. */
export function getTableAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (table, step) => (isRecord(table) ? getOwnMember(table, step) : undefined),
    parseToml(text),
  );
}

/** Replaces the table if there is one at the path; else appends it to the text. */
export function setTableAt(text: string, path: readonly [string, string], value: Table): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const table = printTable(path, value, eol);
  const wanted = setTableInValue(parseToml(text), path, value);
  if (getTableAt(text, path) !== undefined) {
    const replaced = listTableRanges(text, path).map(
      ([from, to]) => text.slice(0, from) + table + text.slice(to),
    );
    return findTextWithTable(replaced, wanted, path);
  }
  if (text.trim() === '') return findTextWithTable([`${text}${table}${eol}`], wanted, path);
  // Without a line break at the end, the file gets none either, so that removing the table can undo the one before it.
  const added = /\n$/.test(text) ? `${text}${eol}${table}${eol}` : `${text}${eol}${eol}${table}`;
  return findTextWithTable([added], wanted, path);
}

/** Undoes `setTableAt`. */
export function removeTableAt(text: string, path: readonly [string, string]): string {
  const wanted = setTableInValue(parseToml(text), path, undefined);
  const removed = listTableRanges(text, path).map(([from, to]) => {
    const [before, after] = [text.slice(0, from), text.slice(to)];
    if (after === '') return before.replace(/(?:\r?\n){1,2}$/, '');
    return before.replace(/(^|\n)\r?\n$/, '$1') + after.replace(/^\r?\n/, '');
  });
  return findTextWithTable(removed, wanted, path);
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

function printTable([group, name]: readonly [string, string], value: Table, eol: string): string {
  return stringify({ [group]: { [name]: value } })
    .trim()
    .replaceAll('\n', eol);
}

/** The contents with the table changed. An emptied group is gone. */
function setTableInValue(
  contents: Table,
  [group, name]: readonly [string, string],
  value: Table | undefined,
): Table {
  const { [group]: found, ...others } = contents;
  const { [name]: old, ...tables } = isRecord(found) ? found : {};
  void old;
  const left = value === undefined ? tables : { ...tables, [name]: value };
  return Object.keys(left).length === 0 ? others : { ...others, [group]: left };
}

const HEADER = /^[\t ]*\[{1,2}[^\r\n]*\]{1,2}[\t ]*(?:#[^\r\n]*)?$/gm;

/** Ranges of lines that may be the table with its own tables: from a header of its name up to another header. */
function listTableRanges(
  text: string,
  [group, name]: readonly [string, string],
): [from: number, to: number][] {
  const headers = [...text.matchAll(HEADER)].map(({ index }) => index);
  const starts = headers.filter((at) => parseTableName(text.slice(at)) === `${group}.${name}`);
  return starts.flatMap((from) =>
    [...headers.filter((at) => at > from), text.length].map((to): [number, number] => [
      from,
      from + trimTrailingComments(text.slice(from, to)).length,
    ]),
  );
}

function parseTableName(header: string): string {
  return (/^[\t ]*\[([^\]]*)\]/.exec(header)?.[1] ?? '').replace(/["'\s]/g, '');
}

/** Blank lines and comments at the end belong to what follows. */
function trimTrailingComments(text: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line));
  return lines
    .slice(0, last + 1)
    .join('\n')
    .trimEnd();
}

function findTextWithTable(
  texts: readonly string[],
  wanted: Table,
  [group, name]: readonly [string, string],
): string {
  const found = texts.find((text) => {
    try {
      return isDeepStrictEqual(withoutEmptyGroup(parseToml(text), group), wanted);
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found;
  throw new UnfitText(
    `[${group}.${name}] cannot be written as a table of its own, since the file has "${group}" in another form`,
    0,
  );
}

function withoutEmptyGroup(contents: Table, group: string): Table {
  const { [group]: tables, ...others } = contents;
  return isRecord(tables) && Object.keys(tables).length === 0 ? others : contents;
}
