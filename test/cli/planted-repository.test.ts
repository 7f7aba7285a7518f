// Each command in a repository of a stranger, with everything planted in it at once and a home folder full of files beside it.
import { cpSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  command,
  copyOf,
  leftoverPlants,
  kept,
  linkInto,
  lockPlants,
  type Planted,
  openPlanted,
  programPlants,
  runs,
  swapNames,
} from '../../scripts/lib/attack/planted-repository.mjs';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { tree } from '../write/project-on-disk.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const cli = join(repositoryRoot, 'dist/bin/mcpgen.js');
let whole: Planted;
const base = realpathSync(temporaryFolder());

beforeAll(async () => {
  whole = await openPlanted(join(base, 'whole'));
});

/** All that can be in one repository, programs under the names of others too. */
const plants = [
  programPlants['a program that is called node'],
  ({ at, canary }: Planted) => cpSync(canary, at('node_modules/.bin/git')),
  leftoverPlants['a temporary name behind a link to the home folder'],
  lockPlants['a lock with NOTES.md'],
  swapNames,
  linkInto,
];

const commands: [args: string[], code: number][] = [
  [['check', 'server'], 1],
  [['inspect', 'server'], 0],
  [['diff', 'server'], 0],
  [['generate', 'server'], 1],
  [['generate', 'server', '--dry-run'], 1],
  [['openapi', 'api.json', '-o', 'server'], 1],
];

test.each(commands)('mcpgen %j runs nothing, and leaves all as it was', async (args, code) => {
  const planted = copyOf(whole, join(base, args.join(' ').replaceAll(/\W+/g, '-')));
  for (const plant of plants) plant?.(planted);
  const before = { all: tree(planted.folder), kept: kept(planted) };
  const ended = await command(planted, args, cli);
  expect({ code: ended.code, runs: runs(planted) }, ended.stderr).toEqual({ code, runs: 0 });
  expect(kept(planted)).toEqual(before.kept);
  expect(tree(planted.folder)).toEqual(before.all);
});
