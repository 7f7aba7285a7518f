/** Documents written to test OpenAPI tools, through the compiler's front end. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { DiagnosticCollector } from '../../dist/src/diagnostics/collector.js';
import { readOpenApi } from '../../dist/src/frontends/openapi/index.js';

/** A document that takes longer than this hangs. */
const PATIENCE_MS = 20_000;

/**
 * Documents that must pass are read without an error, but that they describe nothing to call; documents that must fail do
 * no harm: the front end ends in time and does not throw. `folder`: holds `tests/schema/pass` and `tests/schema/fail`.
 */
export async function runOpenApiTests(folder, begin, suite) {
  const base = join(folder, 'tests/schema/pass');
  const pass = begin(`${suite} pass`);
  for (const name of documents(base)) {
    const { problem, errors } = await outcome(join(base, name));
    pass.record(name, problem ?? errors.find((error) => error.name !== 'no-operations')?.message);
  }
  await runHarmless(join(folder, 'tests/schema/fail'), begin(`${suite} fail`));
}

/** Documents that attack whoever reads them. */
export const runMalicious = (folder, begin) => runHarmless(folder, begin('malicious'));

async function runHarmless(folder, result) {
  for (const name of documents(folder)) result.record(name, (await outcome(join(folder, name))).problem);
}

/** The front end's errors for a document; `problem` is a throw or a hang, which no input excuses. */
async function outcome(source) {
  let timer;
  const hang = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ problem: 'hangs', errors: [] }), PATIENCE_MS);
  });
  const diagnostics = new DiagnosticCollector();
  const read = async () => {
    await readOpenApi({ source }, diagnostics);
    return { errors: diagnostics.found.filter(({ severity }) => severity === 'error') };
  };
  try {
    return await Promise.race([read(), hang]);
  } catch (error) {
    return { problem: `throws ${String(error)}`, errors: [] };
  } finally {
    clearTimeout(timer);
  }
}

function documents(folder) {
  return readdirSync(folder)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort();
}
