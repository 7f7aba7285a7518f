/** Loaded into a server under attack: while a file in a folder named `exchanged` is opened, that folder is a link to `elsewhere` beside the root. */
import files, { renameSync, rmSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const { openSync } = files;

files.openSync = (file, ...rest) => {
  const folder = path.dirname(String(file));
  if (path.basename(folder) !== 'exchanged') return openSync(file, ...rest);
  renameSync(folder, `${folder}-before`);
  symlinkSync(path.resolve(folder, '../../elsewhere'), folder);
  try {
    return openSync(file, ...rest);
  } finally {
    rmSync(folder);
    renameSync(`${folder}-before`, folder);
  }
};
syncBuiltinESMExports();
