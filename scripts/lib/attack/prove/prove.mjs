/** Proves that the table can fail: each row is admitted without the checks of its family, and each check alone has a row that notices. */
import { table } from '../../table.mjs';
import { openCopy } from './copy.mjs';
import { failed, isNoticed, proofOf } from './proof.mjs';

/** @import { Family } from '../families.mjs' */
/** @import { Check } from './checks.mjs' */
/** @import { Copy } from './copy.mjs' */
/** @import { Proof } from './proof.mjs' */

/**
 * Takes each check out alone.
 * @param {Check[]} checks
 * @param {string} folder fresh and empty
 * @param {(proof: Proof) => void} tell called with each
 * @param {number} [patience] with each row, in ms
 * @returns {Promise<Proof[]>}
 */
export async function proveChecks(checks, folder, tell, patience) {
  const copy = await openCopy(folder);
  const proofs = [];
  for (const one of checks) {
    const run = () => copy.attack(one.families, one.rows, patience);
    const proof = await runWithout(copy, [one], run).then(
      (verdicts) => proofOf(one, verdicts),
      ({ message }) => failed(one.check, message),
    );
    tell(proof);
    proofs.push(proof);
  }
  return proofs;
}

/**
 * Takes all checks of a family out together; for rows that are refused still, those that name them, one at a time.
 * @param {Family} family
 * @param {Check[]} checks
 * @param {string} folder fresh and empty
 * @param {number} [patience] with each row, in ms
 * @returns {Promise<string[]>} the rows that nothing admitted
 */
export async function findUnprovedRows({ family, rows }, checks, folder, patience) {
  const copy = await openCopy(folder);
  const mine = checks.filter(({ families }) => families.includes(family));
  let left = rows.filter(({ want }) => !isControl(want)).map(({ name }) => name);
  const admitWithout = async (out) => {
    const all = new RegExp(`^(?:${left.map(escaped).join('|')})$`);
    const verdicts = await runWithout(copy, out, () => copy.attack([family], all, patience));
    const admitted = verdicts.filter((verdict) => out.some((check) => isNoticed(check, verdict)));
    left = left.filter((name) => !admitted.some((verdict) => verdict.name === name));
  };
  if (left.length > 0) await admitWithout(mine);
  for (const check of mine) if (left.some((name) => check.rows?.test(name))) await admitWithout([check]);
  return left;
}

/** What is served as it should be shows that the rows beside it are refused for what they say. */
function isControl(want) {
  return want === '200';
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * @param {Copy} copy
 * @param {Check[]} checks of several, one may have taken the text of another out
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 * @template T
 */
async function runWithout(copy, checks, run) {
  const putBacks = [];
  try {
    for (const one of checks) {
      const taken = copy.without(one).then((putBack) => putBacks.unshift(putBack));
      await (checks.length === 1 ? taken : taken.catch(() => undefined));
    }
    return await run();
  } finally {
    for (const putBack of putBacks) await putBack();
  }
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
