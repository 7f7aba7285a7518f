// The guide's tables of tags are those of the registry. `RECORD=1` writes them anew; Prettier aligns them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ITEM_TAGS,
  TAG_NAMES,
  type TagName,
  TAGS,
} from '../../src/frontends/typescript/tags/tag-registry.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { read } from './blocks.ts';

const PAGE = 'docs/reference/functions.md';

function rowOf(name: TagName, on: string): string {
  const { form, says, repeats } = TAGS[name];
  const tag = form === '' ? `@${name}` : `@${name} ${form}`;
  return `| \`${tag}\`${repeats === true ? ' +' : ''} | ${on} | ${says} |`;
}

function ofFunctions(name: TagName): string[] {
  const { makes, about, ofClass, ofInstance } = TAGS[name];
  if (makes !== undefined) return [rowOf(name, 'function')];
  if (ofClass === true) return [rowOf(name, 'class')];
  if (ofInstance === true) return [rowOf(name, 'exported instance')];
  return about === undefined
    ? []
    : [rowOf(name, about.length === ITEM_TAGS.length ? 'all' : about.join(', '))];
}

function ofValues(name: TagName): string[] {
  const { values } = TAGS[name];
  return values === undefined ? [] : [rowOf(name, values)];
}

const tables = [
  { head: '| tag of a function | on | what it says |', rows: TAG_NAMES.flatMap(ofFunctions) },
  { head: '| tag of a value | of | what it says |', rows: TAG_NAMES.flatMap(ofValues) },
];

function plain(line: string): string {
  return line.replace(/ +/g, ' ').replace(/-+/g, '-');
}

describe.each(tables)('$head', ({ head, rows }) => {
  test('has a row for each tag', () => {
    const lines = read(PAGE).split('\n');
    const start = lines.findIndex((line) => plain(line) === head);
    expect(start).toBeGreaterThan(0);
    const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
    const want = [head, '| - | - | - |', ...rows];
    if (process.env['RECORD'] === '1')
      writeFileSync(
        join(repositoryRoot, PAGE),
        [...lines.slice(0, start), ...want, ...lines.slice(end)].join('\n'),
      );
    else expect(lines.slice(start, end).map(plain)).toEqual(want.map(plain));
  });
});
