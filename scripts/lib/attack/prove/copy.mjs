/** A copy of what is built, of which checks can be taken out: the table of attacks runs from it as it runs from here. */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../../repository.mjs';
import { run } from '../../run.mjs';
import { withoutCheck } from './without-check.mjs';

/** Files that are read while attacks run, and never changed. */
const SHARED = ['node_modules', 'package.json', 'test'];

/** Files of the checkout that a build reads. */
const BUILT_FROM = ['templates', 'schema'];

/** Without its check a stream may stay open: rows that wait for it have noticed by then. */
const PATIENCE_MS = 6_000;

/**
 * @typedef {object} Copy
 * @property {(check: import('./checks.mjs').Check) => Promise<() => Promise<void>>} without takes a check out; resolves with
 *   what puts it back. Rejects where its text is not there, or not once
 * @property {(families: string[], rows: RegExp, patience?: number) => Promise<import('../run.mjs').Verdict[]>} attack
 */

/**
 * @param {string} folder fresh and empty
 * @param {string} [checkout] whose build the attacks run on; it must be built. Default: this one
 * @returns {Promise<Copy>}
 */
export async function openCopy(folder, checkout = root) {
  const at = (...parts) => path.join(folder, ...parts);
  await mkdir(at('scripts'), { recursive: true });
  await cp(path.join(checkout, 'dist'), at('dist'), { recursive: true });
  await cp(path.join(root, 'scripts'), at('scripts'), { recursive: true });
  await Promise.all(SHARED.map((part) => symlink(path.join(root, part), at(part))));
  await Promise.all(BUILT_FROM.map((part) => symlink(path.join(checkout, part), at(part))));
  return {
    without: ({ edits, files }) =>
      change(
        files.map((file) => at(file)),
        edits,
      ),
    attack: async (families, rows, patience = PATIENCE_MS) => {
      const args = [at('scripts/attack.mjs'), '--json', '--only', families.join(), '--rows', rows.source];
      args.push('--patience', String(patience));
      const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
      if (stdout === '') throw new Error(`the attacks did not run:\n${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

async function change(files, edits) {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const changed = withoutCheck(
    edits,
    files.map((file, at) => [file, texts[at]]),
  );
  const write = (all) => Promise.all(files.map((file, at) => writeFile(file, all[at])));
  await write(changed);
  return async () => void (await write(texts));
}
