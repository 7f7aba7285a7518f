/** Servers from Debian's packages: used if they are installed, never installed here. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** `name`: of a program; returns its path; administrators' programs are looked for too. */
export function programCalled(name) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin'];
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
