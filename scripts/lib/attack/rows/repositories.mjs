/**
 * Repositories of strangers: no command runs anything of one, nor takes or moves files of the person who compiles it.
 * `ran` counts programs that were started, `changed` files outside of what is generated that are not as they were.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

import {
  command,
  copyOf,
  leftoverPlants,
  kept,
  linkInto,
  lockPlants,
  openPlanted,
  programPlants,
  putClaude,
  runs,
  swapNames,
} from '../planted-repository.mjs';
import { inModule } from '../prove/check.mjs';

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

const table = (plants, want, attack) =>
  Object.entries(plants).map(([name, plant]) => ({
    name,
    want: typeof want === 'string' ? want : want(name),
    attack: (target) => attack(target, plant),
  }));

const generate = (target, plant) => target.run(plant, ['generate', 'server']);

export const rows = [
  ...table(programPlants, '0 by claude', (target, plant) => target.install(plant)),
  ...table(leftoverPlants, '0', generate),
  ...table(lockPlants, '1 MCPG573', generate),
  ...table({ 'a lock with a file by a link into .git': linkInto }, '0', generate),
  ...table({ 'names of tools that were exchanged in the lock': swapNames }, '0 MCPG574', generate),
];

const ANY_FOLDER = [
  ['![place, folder].some((path) => /[\\\\/]node_modules[\\\\/]\\.bin(?:[\\\\/]|$)/i.test(path))', 'true'],
  ['!repositories.some((root) => folder === root || isBelow(root, folder))', 'true'],
  ['isAbsolute(place) ? findRealPath(place) : undefined', 'findRealPath(place)'],
];
const NO_NAMES = [
  'export function isReserved(path) {',
  'export function isReserved(path) {\n    if (path) return false;',
];
const ANY_LOCK = ['reportStrayPaths(lock, join(root, lockPath), diagnostics);', ''];
const EMITTED = 'dist/src/emit/emitted-paths.js';
const written = (name) => `dist/src/write/${name}.js`;
const inWrite = (name, ...check) => inModule(`src/write/${name}`, ...check);

export const checks = [
  inWrite('find-program', /called claude/, ...ANY_FOLDER),
  inWrite('find-program', /called node/, ['[variable]: places.join(delimiter)', '']),
  inWrite('temporary-files', /^a temporary name behind/, [
    'if (entry.isDirectory())',
    'if (entry.isDirectory() || entry.isSymbolicLink())',
  ]),
  inWrite('temporary-files', /^a temporary name in/, ['below && !isReserved(entry.name)', 'below']),
  inWrite('write-project', /^a lock with NOTES/, ANY_LOCK),
  {
    rows: /^a lock with (?:\.git|a dependency|another)/,
    edits: [NO_NAMES, ANY_LOCK],
    files: [EMITTED, written('write-project')],
  },
  {
    rows: /by a link into/,
    edits: [NO_NAMES, ['fs, { links: false }', 'fs']],
    files: [EMITTED, written('plan-removals')],
  },
  {
    ...inModule('src/derive/names/tool-names', /^names of tools/, [
      'reportSwapped(operationsWithOldName, served, { suggested, locked }, diagnostics);',
      'void 0;',
    ]),
    // Nothing is said of it.
    admits: /got 0$/,
  },
];
