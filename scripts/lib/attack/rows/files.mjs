/** Files that calls name, in a server with `--files`: none outside the folder is sent, even if a folder is exchanged for a link. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { never, removal } from '../prove/check.mjs';
import { openServer } from '../server.mjs';
import { callOf, sendModern, textOf } from '../session.mjs';

export const family = 'files';

/** `elsewhere` is beside the folder that the server may send files of. */
export async function open(folder) {
  const [root, elsewhere] = [path.join(folder, 'root'), path.join(folder, 'elsewhere')];
  await mkdir(path.join(root, 'exchanged'), { recursive: true });
  await mkdir(elsewhere);
  await writeFile(path.join(root, 'exchanged/note'), 'note');
  await writeFile(path.join(elsewhere, 'note'), 'TELL');
  await symlink(elsewhere, path.join(root, 'link'));
  return openServer(folder, { args: ['--files', root], exchange: true });
}

const outside = [
  ['above the folder', 'file:../elsewhere/note'],
  ['behind a link', 'file:link/note'],
  ['of the system', 'file:/etc/passwd'],
  ['in a folder that is exchanged for a link while it is opened', 'file:exchanged/note'],
];

export const rows = outside.map(([name, body]) => ({
  name: `a file ${name}`,
  want: 'outside',
  attack: async ({ url }) => {
    const words = textOf(await sendModern(url, callOf('upload', { body }))) ?? '';
    return words.includes('lies outside the files folder') ? 'outside' : words;
  },
}));

const ANY_OPEN_FILE = never('!isInside(placeOfOpenFile(file, place), root)');

export const checks = [
  removal(/exchanged for a link/, ANY_OPEN_FILE),
  removal(
    /^a file (?:above|behind|of)/,
    ANY_OPEN_FILE,
    never('!isInside(candidate, root) || fs.realpathSync(root) !== root'),
    never('!isInside(place, root)'),
  ),
];
