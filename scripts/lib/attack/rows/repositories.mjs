/**
 * Repositories of strangers: no command runs anything of one, nor takes or moves files of the person who compiles it. `ran`
 * counts programs that were started, `changed` files outside of what is generated that are not as they were.
 */
import { existsSync } from 'node:fs';
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
  previewDiff,
  previewInBrowser,
  programPlants,
  putClaude,
  runs,
  swapNames,
} from '../planted-repository.mjs';

export const family = 'repositories';

export async function open(folder) {
  const whole = await openPlanted(path.join(folder, 'whole'));
  const seen = { ran: 0, changed: 0 };
  let copies = 0;
  /** What `use` finds in a copy with this plant; programs that ran are counted. */
  const inCopy = async (plant, use) => {
    const planted = copyOf(whole, path.join(folder, String(++copies)));
    plant(planted);
    const answer = await use(planted);
    seen.ran += runs(planted);
    return answer;
  };
  return {
    witness: async () => ({ ...seen }),
    close: () => Promise.resolve(),
    diff: (plant) => inCopy(plant, async (planted) => String(await previewDiff(planted))),
    browse: (plant) =>
      inCopy(plant, async (planted) => ((await previewInBrowser(planted)) ? 'opened' : 'not opened')),
    /** The exit code, and whether the person's own `claude` ran. */
    install: (plant) =>
      inCopy(plant, async (planted) => {
        putClaude(planted);
        const { code } = await command(planted, ['install', 'server', '--client', 'claude-code']);
        return `${code}${existsSync(path.join(planted.folder, 'claude-ran')) ? ' by claude' : ''}`;
      }),
    /** The exit code, and which diagnostics about strangers came of it. */
    run: (plant, args) =>
      inCopy(plant, async (planted) => {
        const before = kept(planted);
        const { code, stdout } = await command(planted, [...args, '--json']);
        const after = kept(planted);
        const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
        seen.changed += [...paths].filter((file) => before[file] !== after[file]).length;
        const codes = JSON.parse(stdout).diagnostics.map((each) => each.code);
        const strange = [...new Set(codes)].filter((each) => /^MCPG57\d$/.test(each)).sort();
        return [code, ...strange].join(' ');
      }),
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

/** Each plant, in what is neither a command with an end nor in JSON. */
const others = (plants, what, names, want, attack) =>
  Object.entries(plants)
    .filter(([name]) => names.test(name))
    .map(([name, plant]) => ({ name: `${name}: ${what}`, want, attack: (target) => attack(target, plant) }));

const diff = (target, plant) => target.diff(plant);
const browse = (target, plant) => target.browse(plant);
const install = (target, plant) => target.install(plant);

export const rows = [
  ...others(gitPlants, 'diff in the preview', /^(?!.*called git)/, '409', diff),
  ...others(gitPlants, 'diff in the preview', /called git/, '200', diff),
  ...others(programPlants, 'the page is opened', /called xdg-open/, 'opened', browse),
  ...others(programPlants, 'install for Claude Code', /called (?:claude|node)/, '0 by claude', install),
  ...table(leftoverPlants, [check, dryRun, generate, openapi], '0'),
  ...table(lockPlants, [generate, openapi], '1 MCPG573'),
  ...table({ 'a lock with a file by a link into .git': linkInto }, [generate], '0'),
  ...table({ 'names of tools that were exchanged in the lock': swapNames }, [generate], '0 MCPG574'),
];
