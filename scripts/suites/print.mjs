// The table of results, then what failed.
const mostListed = 40;

export function printResults(results) {
  const width = Math.max(...results.map(({ suite }) => suite.length));
  const row = (suite, ...cells) =>
    suite.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join('');
  console.log(row('suite', 'passed', 'failed', 'skipped'));
  for (const { suite, passed, failures, skips, informative } of results) {
    const skipped = [...skips.values()].reduce((sum, count) => sum + count, 0);
    console.log(row(suite, passed, failures.length, skipped) + (informative ? '  (for information)' : ''));
  }
  for (const result of results) printDetails(result);
}

function printDetails({ suite, failures, skips, informative }) {
  if (failures.length === 0 && skips.size === 0) return;
  console.log(`\n${suite}`);
  for (const [reason, count] of skips) console.log(`  skipped ${count}: ${reason}`);
  if (informative) return;
  for (const failure of failures.slice(0, mostListed)) console.log(`  failed ${failure}`);
  if (failures.length > mostListed) console.log(`  … ${failures.length - mostListed} more`);
}
