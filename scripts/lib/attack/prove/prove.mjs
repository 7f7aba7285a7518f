/** That the table can fail: each check is taken out by itself, and rows that are named for it must be admitted then. */
import { table } from '../../table.mjs';
import { openCopy } from './copy.mjs';

/**
 * @typedef {object} Proof
 * @property {string} check
 * @property {string[]} noticed rows that were admitted
 * @property {string} [miss] what is wrong; absent: nothing
 */

/**
 * @param {import('./checks.mjs').Check[]} checks
 * @param {string} folder fresh and empty
 * @param {(proof: Proof) => void} [tell] called with each
 * @returns {Promise<Proof[]>}
 */
export async function prove(checks, folder, tell = () => undefined) {
  const copy = await openCopy(folder);
  const proofs = [];
  for (const one of checks) {
    const proof = await proofOf(one, copy).catch(({ message }) => failed(one.check, message));
    tell(proof);
    proofs.push(proof);
  }
  return proofs;
}

async function proofOf(one, copy) {
  const { check, rows, each = false } = one;
  const putBack = await copy.without(one);
  try {
    const verdicts = await copy.attack(one.families, rows);
    if (verdicts.length === 0) return failed(check, `no row is named ${rows}`);
    const noticed = verdicts.filter(({ miss }) => miss !== undefined).map(({ name }) => name);
    if (noticed.length === 0) return failed(check, `no row noticed, of ${verdicts.length}`);
    const other = verdicts.find(({ name }) => !noticed.includes(name));
    return each && other !== undefined ? failed(check, `did not notice: ${other.name}`) : { check, noticed };
  } finally {
    await putBack();
  }
}

function failed(check, miss) {
  return { check, noticed: [], miss };
}

/** @param {Proof[]} proofs */
export function tableOf(proofs) {
  const lines = proofs.map(({ check, noticed, miss }) => [check, noticed.length, miss ?? noticed[0]]);
  return table(['without the check', 'rows that noticed', 'such as'], lines);
}
