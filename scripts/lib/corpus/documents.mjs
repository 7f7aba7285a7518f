/** Which documents a corpus folder holds (its INDEX.tsv), and which of them cannot succeed. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Documents that must be refused, and why. */
const refused = new Map([
  ['adyen-webhooks.json', 'webhooks only: no operation to call'],
  ['rm31-webhooks.json', 'webhooks only: no operation to call'],
  ['webhook-example-31.yaml', 'webhooks only: no operation to call'],
]);

/** Documents above this size are left out of the subset: they take most of the time. */
const subsetBytes = 500_000;

/**
 * `selection`: `only` keeps names that contain one of the words; returns the largest first, so that the end is not
 * one long wait.
 */
export async function readCorpus(folder, { only = [], subset = false }) {
  const [, ...lines] = (await readFile(path.join(folder, 'INDEX.tsv'), 'utf8')).trim().split('\n');
  return lines
    .map((line) => line.split('\t'))
    .map(([name, , , version, bytes, , operations]) => ({
      name,
      file: path.join(folder, name),
      version,
      bytes: Number(bytes),
      operations: Number(operations),
      refused: refused.get(name),
    }))
    .filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
    .filter(({ bytes }) => !subset || bytes <= subsetBytes)
    .toSorted((a, b) => b.bytes - a.bytes);
}
