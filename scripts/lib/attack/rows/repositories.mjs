/**
 * Repositories of strangers: no command runs anything of one, nor takes or moves files of the person who compiles it. `ran`
 * counts programs that were started, `changed` files outside of what is generated that are not as they were.
 */
import path from 'node:path';

import {
  command,
  copyOf,
  gitPlants,
  leftoverPlants,
  kept,
  linkInto,
  lockPlants,
  openPlanted,
  runs,
  swapNames,
} from '../planted-repository.mjs';

export const family = 'repositories';

export async function open(folder) {
  const whole = await openPlanted(path.join(folder, 'whole'));
  const seen = { ran: 0, changed: 0 };
  let copies = 0;
  return {
    witness: async () => ({ ...seen }),
    close: () => Promise.resolve(),
    /** The exit code, and which diagnostics about strangers came of it. */
    run: async (plant, args) => {
      const planted = copyOf(whole, path.join(folder, String(++copies)));
      plant(planted);
      const before = kept(planted);
      const { code, stdout } = await command(planted, [...args, '--json']);
      const after = kept(planted);
      const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
      seen.changed += [...paths].filter((file) => before[file] !== after[file]).length;
      seen.ran += runs(planted);
      const codes = JSON.parse(stdout).diagnostics.map((each) => each.code);
      const strange = [...new Set(codes)].filter((each) => /^MCPG57\d$/.test(each)).sort();
      return [code, ...strange].join(' ');
    },
  };
}

const check = ['check', 'server'];
const generate = ['generate', 'server'];
const dryRun = [...generate, '--dry-run'];
const openapi = ['openapi', 'api.json', '-o', 'server'];

/** Each plant with each command. */
const table = (plants, commands, want) =>
  Object.entries(plants).flatMap(([name, plant]) =>
    commands.map((args) => ({
      name: `${name}: ${args.join(' ')}`,
      want,
      attack: (target) => target.run(plant, args),
    })),
  );

const pick = (plants, ...names) => Object.fromEntries(names.map((name) => [name, plants[name]]));
const basic = pick(gitPlants, 'a bare repository beside the files', 'a program in .git/config');

export const rows = [
  ...table(gitPlants, [generate], '1'),
  ...table(basic, [check, dryRun, openapi], '1'),
  ...table(basic, [[...generate, '--merge']], '0'),
  ...table(leftoverPlants, [check, dryRun, generate, openapi], '0'),
  ...table(lockPlants, [generate, openapi], '1 MCPG573'),
  ...table({ 'a lock with a file by a link into .git': linkInto }, [generate], '0'),
  ...table({ 'names of tools that were exchanged in the lock': swapNames }, [generate], '0 MCPG574'),
];
