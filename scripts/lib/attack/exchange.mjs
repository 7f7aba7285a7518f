/** Loaded into a server under attack: while a file in a folder named `exchanged` is opened, that folder is a link to `elsewhere` beside the root. */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const { open } = files;

files.open = async (file, ...rest) => {
  const folder = path.dirname(String(file));
  if (path.basename(folder) !== 'exchanged') return open(file, ...rest);
  renameSync(folder, `${folder}-before`);
  symlinkSync(path.resolve(folder, '../../elsewhere'), folder);
  try {
    return await open(file, ...rest);
  } finally {
    rmSync(folder);
    renameSync(`${folder}-before`, folder);
  }
};
syncBuiltinESMExports();
