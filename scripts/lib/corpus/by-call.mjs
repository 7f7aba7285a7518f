/** Each tool is called by its name and through the tools that call others: the API gets the same bytes, and the client the same result. */
import { printBindings, printCatalog, printSearch } from '../../../dist/src/emit/data-files.js';
import { makeWireCalls } from '../../../dist/src/emit/wire/wire-calls.js';
import { search } from '../../../dist/templates/runtime/features/search/index.js';
import { mayCall, readAccess } from '../../../dist/templates/runtime/features/access.js';
import { CALL_TOOLS } from '../../../dist/templates/runtime/features/search/tools.js';
import { jsonAnswer, openWitness } from '../attack/witness.mjs';
import { makeFeatures, openInProcess } from '../in-process.mjs';

const BODY = '{"id":1,"name":"x","items":[{"id":2}]}';

export async function judgeCalls(model) {
  const { calls, environment, baseUrls = [] } = await makeWireCalls(model);
  const api = await openWitness(() => jsonAnswer(BODY));
  const send = await openSession(model, api, { ...environment, ...addresses(baseUrls, api.url) });
  const faults = [];
  let [pairs, refused] = [0, 0];
  for (const { tool, arguments: args } of calls) {
    const access = readAccess(model.tools.find(({ name }) => name === tool) ?? {});
    const named = await send(tool, args);
    if (named.bytes === '') faults.push(`${tool}: nothing reached the API: ${named.text.slice(0, 200)}`);
    for (const by of Object.keys(CALL_TOOLS)) {
      const called = await send(CALL_TOOLS[by], { name: tool, arguments: args });
      if (!mayCall(by, access)) {
        if (called.bytes === '' && called.text.includes('was not called')) refused += 1;
        else faults.push(`${tool}: ${CALL_TOOLS[by]} calls it`);
      } else if (called.bytes !== named.bytes) faults.push(`${tool}: ${CALL_TOOLS[by]} sends other bytes`);
      else if (called.text !== named.text) faults.push(`${tool}: ${CALL_TOOLS[by]} has another result`);
      else pairs += 1;
    }
  }
  await api.close();
  return { faults, called: calls.length, pairs, refused };
}

function addresses(variables, url) {
  return Object.fromEntries(variables.map((name) => [name, url]));
}

/** Every byte of a call; boundaries of multipart bodies are made anew for each. */
function takeBytes({ requests }) {
  const bytes = requests.splice(0).join('');
  const boundary = /^content-type: *multipart\/.*; boundary=([\w-]+)/im.exec(bytes)?.[1];
  return boundary === undefined ? bytes : bytes.replaceAll(boundary, 'boundary');
}

/** Those that have a part in calls of an API. */
const NAMES = [
  'api',
  'styles',
  'bytes',
  'multipart',
  'xml',
  'read-only-members',
  'operation-servers',
  'known-arguments',
  'patterns',
];

async function openSession(model, api, env) {
  const definition = {
    features: [...(await makeFeatures(NAMES)), search({ surface: 'both' })],
    generated: {
      'catalog.json': printCatalog(model),
      'bindings.json': printBindings(model, false, { requires: [], refuses: {} }),
      'search.json': printSearch(model),
    },
  };
  const flags = baseUrlOf(model, api);
  const call = await openInProcess(definition, { env, flags, report: () => undefined });
  return async (name, args) => ({ text: await call(name, args), bytes: takeBytes(api) });
}

/** Several APIs have a variable each. */
function baseUrlOf({ upstreams }, { url }) {
  return upstreams === undefined ? { 'base-url': url } : {};
}
