/** A copy of what is built, of which checks can be taken out: the table of attacks runs from it as it runs from here. */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../../repository.mjs';
import { run } from '../../run.mjs';
import { withoutCheck } from './without-check.mjs';

/** Files that are read while attacks run, and never changed. */
const SHARED = ['node_modules', 'package.json', 'test', 'templates', 'schema'];

/** Without its check a stream may stay open: rows that wait for it have noticed by then. */
const PATIENCE_MS = 10_000;

/**
 * @typedef {object} Copy
 * @property {(check: import('./check.mjs').Check) => Promise<() => Promise<void>>} without takes it out; resolves with
 *   what puts it back. Rejects where its text is not there, or not once
 * @property {(family: string, rows: string, patience?: number) => Promise<import('../run.mjs').Verdict[]>} attack
 */

/**
 * @param {string} folder fresh and empty
 * @returns {Promise<Copy>}
 */
export async function openCopy(folder) {
  const at = (...parts) => path.join(folder, ...parts);
  await mkdir(at('scripts'), { recursive: true });
  await cp(path.join(root, 'dist'), at('dist'), { recursive: true });
  await cp(path.join(root, 'scripts'), at('scripts'), { recursive: true });
  await Promise.all(SHARED.map((part) => symlink(path.join(root, part), at(part))));
  return {
    without: ({ edits, files }) =>
      removeCheck(
        edits,
        files.map((file) => at(file)),
      ),
    attack: async (family, rows, patience = PATIENCE_MS) => {
      const args = [at('scripts/attack.mjs'), '--json', '--only', family, '--rows', rows];
      args.push('--patience', String(patience));
      const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
      if (stdout === '') throw new Error(`the attacks did not run:\n${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

async function removeCheck(edits, files) {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const changed = withoutCheck(
    edits,
    files.map((file, at) => [file, texts[at]]),
  );
  const write = (all) => Promise.all(files.map((file, at) => writeFile(file, all[at])));
  await write(changed);
  return async () => void (await write(texts));
}
