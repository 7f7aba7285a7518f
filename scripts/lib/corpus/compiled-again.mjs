/**
 * A document compiled in another way: with its `paths` reversed, which must rename nothing; with an overlay as `mcpgen
 * overlay init` writes it, which must change nothing; for each client, which must take it, or a warning says what not.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { compile } from '../../../dist/src/api/compile.js';
import { draftOverlay } from '../../../dist/src/api/overlay-draft.js';
import { printCatalog } from '../../../dist/src/emit/data-files.js';
import { parseText } from '../../../dist/src/frontends/openapi/load/parse-text.js';
import { mcpgen } from '../run.mjs';
import { SUBSET_NAMES, unreportedFaults } from './client-subsets.mjs';

/** Levels of nesting; deeper than any real document. */
const depthLimit = 1000;

/** `folder`: scratch; returns names that depend on the order. */
export async function orderFaults(document, folder) {
  const [forward, backward] = [
    await namesOf(document.file),
    await namesOf(await writeReversed(document, folder)),
  ];
  const faults = [...forward].filter(([key, name]) => backward.get(key) !== name);
  return [
    ...faults.map(([key, name]) => `${key} is ${name}, but ${backward.get(key) ?? 'missing'} when reversed`),
    ...(forward.size === backward.size ? [] : [`${forward.size} tools, but ${backward.size} when reversed`]),
  ];
}

/** A document of several files is copied with its folder, so that its references still lead somewhere. */
async function writeReversed({ file, name }, folder) {
  const parts = name.split('/');
  const [scratch, tree] = [path.join(folder, 'reversed'), path.join(...parts.slice(0, 2))];
  let target = path.join(scratch, 'reversed.json');
  if (parts.length > 2) {
    await cp(file.slice(0, -name.length) + tree, path.join(scratch, tree), { recursive: true });
    target = path.join(scratch, path.dirname(name), 'reversed.json');
  } else {
    await cp(file, target, { recursive: true });
  }
  const parsed = parseText(await readFile(file, 'utf8'), file, { depth: depthLimit });
  if (!Object.hasOwn(parsed, 'value')) throw new Error(`${name} cannot be parsed`);
  const document = parsed.value;
  const paths = Object.fromEntries(Object.entries(document.paths ?? {}).toReversed());
  await writeFile(target, JSON.stringify({ ...document, paths }));
  return target;
}

/** `METHOD /path` → tool name. */
async function namesOf(file) {
  const { code, stdout, stderr } = await mcpgen(['inspect', file, '--json'], { timeout: 120_000 });
  if (code !== 0) throw new Error(`inspect of ${file} ended with ${code}: ${stderr.slice(0, 300)}`);
  const { tools } = JSON.parse(stdout);
  return new Map(tools.map(({ name, binding }) => [`${binding.method} ${binding.path}`, name]));
}

export async function overlayFaults({ file }, folder) {
  const { text, elsewhere, diagnostics } = await draftOverlay({ source: file });
  if (text === undefined) return isNothingToOverlay(elsewhere, diagnostics) ? [] : ['no overlay is written'];
  const overlay = path.join(folder, 'draft.overlay.yaml');
  await writeFile(overlay, text);
  const plain = await compile({ source: file });
  const overlaid = await compile({ source: file, overlays: [overlay] });
  if (overlaid.model === undefined) return [`does not compile with it: ${overlaid.diagnostics[0]?.message}`];
  const faults = Object.keys(plain.model).filter(
    (part) => !isDeepStrictEqual(plain.model[part], overlaid.model[part]),
  );
  return faults.map((part) => `${part} are others with the overlay`);
}

/** All operations stand in files that an overlay of this one does not reach. */
function isNothingToOverlay(elsewhere, diagnostics) {
  return elsewhere.length > 0 && diagnostics.some(({ name }) => name === 'nothing-to-overlay');
}

const WARNINGS = ['client-not-fitted', 'client-takes-fewer-tools'];

/** What is refused without a warning. */
export async function judgeClients(file) {
  const faults = [];
  for (const client of SUBSET_NAMES) {
    const { model, diagnostics } = await compile({ source: file, for: [client] });
    if (model === undefined) continue;
    const reported = diagnostics.filter(({ name }) => WARNINGS.includes(name)).map(({ message }) => message);
    const { tools } = JSON.parse(printCatalog(model));
    const found = unreportedFaults(client, { server: model.name, tools, reported });
    faults.push(...found.map((fault) => `${client} ${fault}`));
  }
  return faults;
}
