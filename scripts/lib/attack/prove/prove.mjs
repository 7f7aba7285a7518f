/** Proves that the table can fail: each row is admitted without its check. */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { withoutCheck } from './without-check.mjs';
import { isProof } from '../run.mjs';
import { root } from '../../repository.mjs';
import { run } from '../../run.mjs';

/**
 * Takes the checks of a family out, one at a time, and runs the rows that each names. `folder`: fresh and empty;
 * `patience`: with each row, in ms; returns the rows that are refused still.
 */
export async function findUnprovedRows({ family, rows, checks }, folder, patience) {
  const copy = await openCopy(folder);
  const refused = [];
  for (const check of checks) {
    const names = rows.map(({ name }) => name).filter((name) => check.rows.test(name));
    const putBack = await copy.without(check);
    const pattern = `^(?:${names.map(escaped).join('|')})$`;
    const verdicts = await copy.attack(family, pattern, patience).finally(putBack);
    const admitted = verdicts.filter((verdict) => isProof(check, verdict)).map(({ name }) => name);
    refused.push(...names.filter((name) => !admitted.includes(name)));
  }
  return refused;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Files that are read while attacks run, and never changed. */
const SHARED = ['node_modules', 'package.json', 'fixtures', 'test', 'templates', 'schema'];

/** Without its check a stream may stay open: rows that wait for it have noticed by then. */
const PATIENCE_MS = 10_000;

async function openCopy(folder) {
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
