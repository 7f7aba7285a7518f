// Every flag, member of a configuration, entry of its schema, row of the reference and checked option of a program is a row of the
// table of options, and every row is in all the places that it names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { generate } from '../../src/index.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { CONFIGURED_GROUPS, listRows } from '../../src/config/options/rows.ts';
import { parseConfig } from '../../src/config/options/parse-config.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { hostOf } from './support/fake-host.ts';

const program = buildProgram({ host: hostOf({}), finish: () => undefined, tell: () => undefined });

/** `overlay init` by its whole name; commands that only hold others have no options. */
const commands = new Map(
  program.commands.flatMap((command): [string, Command][] =>
    command.commands.length === 0
      ? [[command.name(), command]]
      : command.commands.map((each) => [`${command.name()} ${each.name()}`, each]),
  ),
);

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const schema = JSON.parse(read('schema/config.json')) as {
  properties: Record<string, { description?: string }>;
  $defs: { ServerConfig: { properties: object } };
};
const members = listRows(...CONFIGURED_GROUPS).map(([name]) => name);
const sorted = (names: Iterable<string>): string[] => [...names].sort();

describe.each([...commands].filter(([name]) => name !== 'help'))('mcpgen %s', (name, command) => {
  test('has the flags of its rows and no others', () => {
    const wanted = listRows().flatMap(([key, row]) =>
      row.commands?.some((each) => each === name) ? [[key, row.flag]] : [],
    );
    const found = command.options.map((option) => [option.attributeName(), option.flags]);
    expect(found.sort()).toEqual(wanted.sort());
  });
});

test('each command that a row names exists', () => {
  const named = listRows().flatMap(([, { commands: of = [] }]) => of);
  expect(named.filter((name) => !commands.has(name))).toEqual([]);
});

test('the schema of configurations has the members of the table, in the words of the table', () => {
  const own = ['$schema', 'servers'];
  expect(sorted(Object.keys(schema.properties))).toEqual(sorted([...members, ...own]));
  expect(sorted(Object.keys(schema.$defs.ServerConfig.properties))).toEqual(sorted(members));
  for (const [name, { help }] of listRows(...CONFIGURED_GROUPS))
    expect(schema.properties[name]?.description?.toLowerCase()).toContain(help.toLowerCase());
});

test('each member is checked, and an unknown one is refused', () => {
  // `sources` is checked with all that it holds.
  for (const name of members) {
    const config = parseConfig(JSON.stringify({ source: 'a', [name]: { 'not one': Number.NaN } }));
    expect(config, name).toHaveProperty('faults');
  }
  expect(parseConfig('{"source":"a","dryRun":true}')).toHaveProperty('faults');
});

test.each(listRows('document', 'server', 'project', 'run').filter(([name]) => name !== 'output'))(
  'a program can state %s, and what it states is checked',
  async (name) => {
    const options: object = { source: 'none.yaml', [name]: Number.NaN };
    const { diagnostics } = await generate(options as { source: string });
    expect(diagnostics.map(({ code, message }) => [code, message.includes(`"${name}"`)])).toEqual([
      ['MCPG622', true],
    ]);
  },
);

test('the reference has a row for each option, and none for others', () => {
  const rowsOf = (page: string): string[] => {
    const [, table = ''] = read(page).split(/<!-- \/?options[^>]*-->/);
    return [...table.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell = '']) => cell);
  };
  expect(rowsOf('docs/reference/configuration.md')).toEqual(members.map((name) => `\`${name}\``));
  const flags = listRows()
    .filter(([name, { flag }]) => flag !== undefined && !members.includes(name))
    .map(([, { flag = '' }]) => /-[-\w]+/.exec(flag)?.[0] ?? '');
  const found = rowsOf('docs/reference/commands.md').map((cell) => /-[-\w]+/.exec(cell)?.[0]);
  expect(found).toEqual(flags);
});
