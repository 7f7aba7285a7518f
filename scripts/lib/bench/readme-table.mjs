/** The table of README.md and docs/comparison.md, measured: each generator on the same two documents. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { load } from 'js-yaml';

import { inRepository } from '../repository.mjs';
import { table } from '../table.mjs';
import { ALTERNATIVES, OURS } from './alternatives.mjs';
import { bytes } from './figures.mjs';
import { argumentsFor, differences, document as styles, startRecorder } from './styles.mjs';
import { talk } from './talk.mjs';

/** Installed packages stay here, since some take minutes to install. */
const kept = inRepository('node_modules/.cache/alternatives');

/**
 * @param {string} folder an empty one
 * @param {{ corpus?: string, only?: string }} choice `corpus` has `openai-yaml.yaml`; `only` is a part of a name
 * @returns {Promise<string>}
 */
export async function measureReadme(folder, { corpus, only = '' }) {
  const small = path.join(folder, 'styles.json');
  await writeFile(small, JSON.stringify(styles));
  const large = corpus && (await writeLarge(path.join(corpus, 'openai-yaml.yaml'), folder));
  const rows = [];
  for (const each of [OURS, ...ALTERNATIVES].filter(({ name }) => name.includes(only)))
    rows.push([each.name, ...(await measure(each, folder, { small, large }))]);
  return table(['tool', 'one request with many parameter styles', 'tools/list of openai-yaml.yaml'], rows);
}

async function writeLarge(source, folder) {
  const file = path.join(folder, 'openai.json');
  await writeFile(file, JSON.stringify(load(await readFile(source, 'utf8'))));
  return file;
}

async function measure(alternative, folder, { small, large }) {
  const places = { home: path.join(kept, alternative.name.replaceAll(/[^\w.]+/g, '-')), folder };
  places.folder = path.join(folder, path.basename(places.home));
  await mkdir(places.folder);
  try {
    await install(alternative, places.home);
  } catch (error) {
    return [`not installed: ${reasonOf(error)}`, ''];
  }
  return [
    await failing(() => wireFaults(alternative, places, small)),
    large === undefined ? 'needs --corpus' : await failing(() => listSize(alternative, places, large)),
  ];
}

async function install({ name, install: run }, home) {
  const mark = path.join(home, 'installed');
  if (existsSync(mark)) return;
  console.error(`installing ${name} …`);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  await run(home);
  await writeFile(mark, '');
}

async function failing(work) {
  try {
    return await work();
  } catch (error) {
    return `fails: ${reasonOf(error)}`;
  }
}

function reasonOf({ message }) {
  const lines = String(message).split('\n');
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '').trim().slice(0, 120);
}

async function wireFaults({ start }, places, file) {
  const recorder = await startRecorder();
  try {
    const given = await talk(await start(places, file, recorder.origin), places.folder, async (ask) => {
      const [tool] = (await listTools(ask)).tools;
      const values = argumentsFor(tool.inputSchema);
      await ask('tools/call', { name: tool.name, arguments: values });
      return values;
    });
    const [request] = recorder.requests;
    if (request === undefined) return 'no request was sent';
    return `${describe(differences(request))}${typeof given.q === 'string' ? ', q is given as text' : ''}`;
  } finally {
    await recorder.close();
  }
}

/** `2 malformed (path id: …; ids: p,q), 1 missing (q)` */
function describe({ faults, extra }) {
  if (faults.length === 0) return "as OpenAPI's style tables say";
  const malformed = faults.filter(({ sent }) => sent !== undefined);
  const missing = faults.filter(({ sent }) => sent === undefined);
  const told = [
    [malformed, 'malformed', ({ part, sent }) => `${part}: ${sent}`],
    [missing, 'missing', ({ part }) => part],
  ];
  const parts = told
    .filter(([parts]) => parts.length > 0)
    .map(([parts, what, say]) => `${parts.length} ${what} (${parts.map(say).join('; ')})`);
  return [...parts, ...extra.map((text) => `\`${text}\` in the query`)].join(', ');
}

async function listSize({ start }, places, file) {
  const program = await start(places, file, 'http://127.0.0.1:1');
  const began = performance.now();
  return talk(program, places.folder, async (ask) => {
    const { tools, size } = await listTools(ask);
    return `${bytes(size)} bytes, ${tools.length} tools, ${((performance.now() - began) / 1000).toFixed(1)} s`;
  });
}

/** Lists the tools of all pages. */
async function listTools(ask) {
  const tools = [];
  let size = 0;
  let cursor;
  do {
    const page = await ask('tools/list', cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    size += Buffer.byteLength(JSON.stringify(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { tools, size };
}
