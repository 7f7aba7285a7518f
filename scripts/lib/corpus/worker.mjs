/**
 * Checks documents one after the other, in a thread of its own: validating thousands of schemas would keep the other
 * worker waiting.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

import { compile } from '../../../dist/src/api/compile.js';
import { assertSchemas } from '../../../dist/src/model/assert-model.js';
import { connectNewClient, connectOldClient, listAll } from '../clients.mjs';
import { mcpgen } from '../run.mjs';
import { judgeCalls } from './by-call.mjs';
import { judgeClients, orderFaults, overlayFaults } from './compiled-again.mjs';
import { judgeExamples } from './examples.mjs';
import { judgeListed, judgeSamples, nameFaults, schemaFaults, wordFaults } from './values.mjs';

const compileLimit = 60_000;

async function check(document) {
  const project = path.join(workerData.folder, document.name.replaceAll(/[^\w.-]/g, '_'));
  const ended = await mcpgen(['openapi', document.file, '-o', project, '--json'], { timeout: compileLimit });
  const base = { document, ms: ended.ms, counts: countDiagnostics(ended.stdout), tools: 0, bytes: 0 };
  if (document.refused !== undefined)
    return { ...base, faults: { compile: await refusalFaults(ended, project) } };
  if (ended.code !== 0) return { ...base, faults: { compile: [describe(ended)] } };
  const faults = { compile: [] };
  /** Runs one check, which gives faults, or more with them. */
  const judge = async (kind, work) => {
    faults[kind] = [];
    const result = await guarded(faults[kind], work);
    faults[kind].push(...(Array.isArray(result) ? result : (result?.faults ?? [])));
    return result;
  };
  const { model } = (await judge('model', async () => ({ model: await compileWhole(document.file) }))) ?? {};
  const listed = await judge('listed', () => judgeListed(model?.tools ?? []));
  const calls = await judge('calls', () => (model === undefined ? [] : judgeCalls(model)));
  const examples = await judge('examples', () =>
    model === undefined ? [] : judgeExamples(model, document.file),
  );
  await judge('clients', () => judgeClients(document.file));
  const { lists } =
    (await judge('sdk2', async () => ({ lists: await speak(connectNewClient, project) }))) ?? {};
  const { older } =
    (await judge('sdk1', async () => ({ older: await speak(connectOldClient, project) }))) ?? {};
  if (lists && older) faults.sdk1.push(...differences(lists, older));
  const { tools = [] } = lists ?? older ?? {};
  await judge('names', () => nameFaults(tools, model?.name ?? ''));
  await judge('words', () => wordFaults(tools));
  await judge('schemas', () => schemaFaults(tools));
  const samples = await judge('samples', () => judgeSamples(tools));
  const scratch = `${project}.scratch`;
  await mkdir(path.join(scratch, 'reversed'), { recursive: true });
  await judge('order', () => orderFaults(document, scratch));
  await judge('overlay', () => overlayFaults(document, scratch));
  await rm(scratch, { recursive: true });
  const bytes = Buffer.byteLength(JSON.stringify({ tools }));
  return { ...base, project, tools: tools.length, bytes, samples, listed, calls, examples, faults };
}

/** Errors, warnings and infos of the compiler's JSON. */
function countDiagnostics(stdout) {
  try {
    const { diagnostics } = JSON.parse(stdout);
    const count = (severity) => diagnostics.filter((one) => one.severity === severity).length;
    return `${count('error')}/${count('warning')}/${count('info')}`;
  } catch {
    return 'no JSON';
  }
}

function describe({ code, timedOut, stdout, stderr }) {
  if (timedOut) return `still compiling after ${compileLimit / 1000} s`;
  return `exit code ${code}: ${(stderr.trim() || stdout.trim()).slice(0, 400)}`;
}

async function refusalFaults(ended, project) {
  const faults = [];
  if (ended.code !== 1) faults.push(`should be refused with exit code 1: ${describe(ended)}`);
  if (!/^[1-9]/.test(countDiagnostics(ended.stdout))) faults.push('is refused without a diagnostic');
  if ((await readdir(project).catch(() => [])).length > 0)
    faults.push('is refused, but something was written');
  return faults;
}

async function guarded(faults, work) {
  try {
    return await work();
  } catch (error) {
    faults.push(String(error instanceof Error ? error.message : error).slice(0, 600));
    return undefined;
  }
}

async function speak(connect, project) {
  const connected = await connect(project);
  try {
    return await listAll(connected.client);
  } finally {
    await connected.close();
  }
}

/** A run asserts what is cheap; here every schema of the model is walked. */
async function compileWhole(file) {
  const { model } = await compile({ source: file });
  if (model !== undefined) assertSchemas(model);
  return model;
}

/** Both clients must see the same names. */
function differences(left, right) {
  const names = (items) => JSON.stringify(items.map((item) => item.uri ?? item.uriTemplate ?? item.name));
  return Object.keys(left)
    .filter((key) => names(left[key]) !== names(right[key]))
    .map((key) => `the two clients list different ${key}`);
}

parentPort?.on('message', (document) => {
  void check(document).then(
    (checked) => parentPort?.postMessage(checked),
    (error) =>
      parentPort?.postMessage({
        document,
        ms: 0,
        counts: '',
        tools: 0,
        bytes: 0,
        faults: { compile: [String(error?.stack ?? error)] },
      }),
  );
});
