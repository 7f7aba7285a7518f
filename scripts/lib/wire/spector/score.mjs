/** Spector's coverage file, beside the table of what OpenAPI can't express and of what is known to be missed. */
import { paint } from '../../table.mjs';

export function scoreOf({ openapi, scenarios, faults, coverage, exclusions, wanted }) {
  const names = new Set(scenarios.map(({ name }) => name));
  const tables = exclusions.filter((one) => one.openapi === undefined || one.openapi.includes(openapi));
  const missed = [...names].filter((name) => coverage[name] !== 'pass');
  const reasonOf = (name) => faults.get(name)?.join('\n') || coverage[name];
  const misses = missed.map((name) => ({
    name,
    reason: reasonOf(name),
    exclusion: tables.find((one) => one.scenarios.includes(name)),
  }));
  const inexpressible = misses.filter(({ exclusion }) => exclusion?.inexpressible).length;
  const expressible = names.size - inexpressible;
  const passed = names.size - missed.length;
  const share = expressible === 0 ? 0 : passed / expressible;
  const unneeded = tables.flatMap((one) =>
    one.scenarios.filter((name) => coverage[name] === 'pass' && names.has(name)),
  );
  return {
    openapi,
    scenarios: names.size,
    expressible,
    passed,
    share,
    misses,
    faults: [
      ...misses
        .filter(({ exclusion }) => exclusion === undefined)
        .map(({ name }) => `${name}: an unknown miss`),
      ...unneeded.map((name) => `${name}: excluded without need`),
      ...(share < wanted ? [`${percent(share)}, less than ${percent(wanted)}`] : []),
    ],
  };
}

export function printScores(scores) {
  for (const { openapi, misses, faults } of scores) {
    for (const { name, reason, exclusion } of misses) {
      const mark = exclusion === undefined ? paint('red', '✗') : '·';
      const why =
        exclusion && `${exclusion.inexpressible ? 'can’t be expressed' : 'known'}: ${exclusion.why}`;
      console.log(`${mark} ${openapi} ${name}\n  ${(why ?? reason).slice(0, 900)}`);
    }
    for (const fault of faults) console.log(`${paint('red', '✗')} ${openapi} ${fault}`);
  }
  for (const { openapi, scenarios, expressible, passed, share } of scores)
    console.log(
      `OpenAPI ${openapi}: ${passed} of ${expressible} scenarios that it can express (${percent(share)}), of ${scenarios} in all`,
    );
}

/** Cut, never rounded up: 98.99 % must not look like 99. */
export function percent(share) {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}
