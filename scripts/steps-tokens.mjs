/**
 * `npm run steps:tokens -- <folder of documents>`: ten tasks by one program of steps, and by its calls one after the
 * other: the tokens that a model writes and reads, in mock mode with lists of twenty. Ends with 1 when the median task
 * costs more than a fifth by steps, or when the requests differ.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { compile } from '../dist/src/index.js';
import { printBindings, printCatalog, printMock } from '../dist/src/emit/data-files.js';
import { estimateTokens } from '../dist/src/util/estimate-tokens.js';
import { makeFeatures, openInProcess } from './lib/in-process.mjs';
import { graph } from './lib/steps/graph.mjs';
import { tasks } from './lib/steps/tasks.mjs';
import { root } from './lib/repository.mjs';
import { table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run steps:tokens -- <folder of documents>';
const [folder] = readOptions(usage, { allowPositionals: true }).positionals;
if (folder === undefined) misused(usage, 'Name the folder of the documents.');

const SOURCES = {
  github: { source: path.join(folder, 'github.json') },
  stripe: { source: path.join(folder, 'stripe-2022.json') },
  shop: { source: path.join(root, 'fixtures/shop.yaml') },
  graph: { document: graph },
};
const ITEMS = 20;
const NEEDED = 5;

/** The first list of a body has as many items, each with other numbers and names. */
function seed(body) {
  const value = JSON.parse(body);
  const grow = (list) =>
    list.length === 0 ? list : Array.from({ length: ITEMS }, (_, at) => vary(list[at % list.length], at));
  if (Array.isArray(value)) return JSON.stringify(grow(value));
  const [name] = Object.entries(value ?? {}).find(([, member]) => Array.isArray(member)) ?? [];
  return JSON.stringify(name === undefined ? value : { ...value, [name]: grow(value[name]) });
}

function vary(item, at) {
  if (typeof item !== 'object' || item === null) return item;
  const members = Object.entries(item).map(([name, value]) => {
    if (/^(?:id|number)$/.test(name)) return [name, typeof value === 'number' ? value + at : `${value}${at}`];
    return [name, typeof value === 'boolean' ? at % 4 === 0 : value];
  });
  return Object.fromEntries(members);
}

async function openServer(options) {
  const { model, diagnostics } = await compile(options);
  if (model === undefined) throw new Error(JSON.stringify(diagnostics[0]));
  const [requests, calls] = [[], []];
  const seeding = {
    name: 'seeding',
    aroundCall: {
      observe: (call, next) => {
        if (call.origin === 'code') calls.push([call.name, call.args]);
        return next();
      },
    },
    aroundSend: async (_, request, next) => {
      requests.push(`${request.method} ${request.url.href}`);
      const answer = await next();
      return { ...answer, body: Buffer.from(seed(answer.body.toString())) };
    },
  };
  const names = ['api', 'styles', 'mock', 'steps', 'alternatives', 'files', 'patterns'];
  const definition = {
    features: [seeding, ...(await makeFeatures(names))],
    generated: {
      'catalog.json': printCatalog(model),
      'bindings.json': printBindings(model, true, { requires: [], refuses: {} }),
      'mock.json': printMock(model),
    },
  };
  const send = await openInProcess(definition, { flags: { mock: true } });
  const nameOf = (id) =>
    model.tools.find(({ name, binding }) => (binding.operationId ?? name) === id)?.name ?? id;
  /** What a call costs: written by the model, and read. */
  const call = async (name, args) => {
    requests.length = 0;
    const { result, error } = JSON.parse(await send(name, args));
    const words = error?.message ?? result.content.map((block) => block.text ?? '').join('\n');
    if (error !== undefined || result.isError === true) throw new Error(words);
    const tokens = estimateTokens(JSON.stringify({ name, arguments: args })) + estimateTokens(words);
    return { tokens, requests: requests.toSorted() };
  };
  return { call, calls, nameOf };
}

const servers = new Map();
async function serverOf(document) {
  const server = servers.get(document) ?? (await openServer(SOURCES[document]));
  servers.set(document, server);
  server.calls.length = 0;
  return server;
}

const lines = [];
let isSame = true;
for (const { document, task, steps, result } of tasks) {
  const { call, nameOf, calls } = await serverOf(document);
  const list = Object.entries(steps).map(([id, step]) => ({ id, ...step, call: nameOf(step.call) }));
  const program = await call('run_read_steps', { steps: list, result });
  const singleCalls = calls.map(([name, args]) => [name, structuredClone(args)]);
  let [singly, requests] = [0, []];
  for (const [name, args] of singleCalls) {
    const single = await call(name, args);
    singly += single.tokens;
    requests.push(...single.requests);
  }
  if (!isDeepStrictEqual(requests.toSorted(), program.requests)) isSame = false;
  lines.push([document, task, singleCalls.length, singly, program.tokens, singly / program.tokens]);
}
const ratios = lines.map((line) => line.at(-1)).toSorted((a, b) => a - b);
const median = (ratios[4] + ratios[5]) / 2;
const shown = lines.map((line) => [...line.slice(0, -1), line.at(-1).toFixed(1)]);
console.log(table(['document', 'task', 'calls', 'tokens, call by call', 'by steps', 'times'], shown));
console.log(
  `\nThe median is ${median.toFixed(1)} times fewer tokens by steps; the requests are ${isSame ? 'the same' : 'others'}.`,
);
process.exitCode = median >= NEEDED && isSame ? 0 : 1;
