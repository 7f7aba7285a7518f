/** Proves that the table can fail: each check is removed alone, and rows named for it must then be let in. */
import { table } from '../../table.mjs';
import { openCopy } from './copy.mjs';
import { failed, proofOf } from './proof.mjs';
import { findRowsNamedInVain } from './rows-without-proof.mjs';

/** @import { Proof } from './proof.mjs' */

/**
 * @param {import('./checks.mjs').Check[]} checks
 * @param {string} folder fresh and empty
 * @param {(proof: Proof) => void} [tell] called with each
 * @param {number} [patience] with each row, in ms
 * @returns {Promise<Proof[]>}
 */
export async function prove(checks, folder, tell = () => undefined, patience = undefined) {
  const copy = await openCopy(folder);
  const proofs = [];
  for (const one of checks) {
    const proof = await proofIn(copy, one, patience).catch(({ message }) => failed(one.check, message));
    tell(proof);
    proofs.push(proof);
  }
  return proofs;
}

async function proofIn(copy, one, patience) {
  const putBack = await copy.without(one);
  try {
    return proofOf(one, await copy.attack(one.families, one.rows, patience));
  } finally {
    await putBack();
  }
}

/**
 * Rows that checks name, and that no run admitted: a proof that failed for each family.
 * @param {import('../families.mjs').Family[]} families
 * @param {import('./checks.mjs').Check[]} checks all of them
 * @param {Proof[]} proofs
 * @returns {Proof[]}
 */
export function missesOfRows(families, checks, proofs) {
  const shown = new Set(proofs.flatMap(({ noticed }) => noticed));
  const rows = findRowsNamedInVain(families, checks, shown);
  return rows.map((row) => failed(row, 'was not admitted without any check that names it'));
}

/** @param {Proof[]} proofs */
export function tableOf(proofs) {
  const lines = proofs.map(({ check, noticed, otherwise, miss }) => [
    check,
    noticed.length,
    otherwise.length,
    miss ?? noticed[0],
  ]);
  return table(['without the check', 'rows admitted', 'answered otherwise', 'such as'], lines);
}
