/** Misses that are known, each with its reason: a table, so that a new miss fails, and one that is gone fails too. */

/** @type {typeof import('./exclusions.d.mts').sortMisses} */
export function sortMisses(misses, exclusions) {
  const used = new Set();
  const known = [];
  const unknown = [];
  for (const miss of misses) {
    const exclusion = exclusions.find((one) => covers(one, miss));
    if (exclusion === undefined) unknown.push(miss);
    else {
      used.add(exclusion);
      known.push({ ...miss, why: exclusion.why });
    }
  }
  return { known, unknown, unneeded: exclusions.filter((one) => !used.has(one)) };
}

function covers({ document, tools, because }, miss) {
  return (
    document === miss.document &&
    (tools === '*' || tools.includes(miss.tool)) &&
    (because === undefined || miss.reason.includes(because))
  );
}
