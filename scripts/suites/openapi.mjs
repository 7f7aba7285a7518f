// Documents written to test OpenAPI tools, through the compiler's front end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { emptyResult, record } from './result.mjs';

/** A document that takes longer than this hangs. */
const patience = 20_000;

/** Errors that are right for a document which is valid but describes nothing to call. */
const nothingToCall = new Set(['no-operations', 'no-operations']);

/**
 * Documents that must pass are read without an error; documents that must fail do no harm: the front end ends in
 * time, does not throw, and either reports something or reads what can be read.
 *
 * @param {string} folder holds `tests/schema/pass` and `tests/schema/fail`
 */
export async function runOpenApiTests(folder, dist, suite) {
  const read = await frontend(dist);
  const base = join(folder, 'tests/schema');
  const pass = emptyResult(`${suite} pass`);
  for (const name of documents(join(base, 'pass'))) {
    record(pass, name, await problemOfValid(read, join(base, 'pass', name)));
  }
  return [pass, await runHarmless(join(base, 'fail'), read, `${suite} fail`)];
}

/** Documents that attack whoever reads them. */
export async function runMalicious(folder, dist) {
  return [await runHarmless(folder, await frontend(dist), 'malicious')];
}

async function runHarmless(folder, read, suite) {
  const result = emptyResult(suite);
  for (const name of documents(folder)) {
    const { problem } = await outcome(read, join(folder, name));
    record(result, name, problem);
  }
  return result;
}

async function problemOfValid(read, file) {
  const { problem, errors } = await outcome(read, file);
  if (problem !== undefined) return problem;
  return errors.find(({ name }) => !nothingToCall.has(name))?.message;
}

/** The front end's result for a document; `problem` is a throw or a hang, which no input excuses. */
async function outcome(read, file) {
  let timer;
  const hang = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ problem: 'hangs', errors: [] }), patience);
  });
  try {
    return await Promise.race([read(file), hang]);
  } catch (error) {
    return { problem: `throws ${String(error)}`, errors: [] };
  } finally {
    clearTimeout(timer);
  }
}

async function frontend(dist) {
  const { readOpenApi } = await import(join(dist, 'src/frontends/openapi/index.js'));
  const { DiagnosticCollector } = await import(join(dist, 'src/diagnostics/collector.js'));
  return async (source) => {
    const diagnostics = new DiagnosticCollector();
    await readOpenApi({ source }, diagnostics);
    return { problem: undefined, errors: diagnostics.found.filter(({ severity }) => severity === 'error') };
  };
}

function documents(folder) {
  return readdirSync(folder)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort();
}
