/** Reversing a document's `paths` must rename nothing. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { parseText } from '../../../dist/src/frontends/openapi/load/parse-text.js';
import { mcpgen } from '../run.mjs';

/** Levels of nesting; deeper than any real document. */
const depthLimit = 1000;

/**
 * @param {import('./documents.mjs').CorpusDocument} document
 * @param {string} folder scratch
 * @returns {Promise<string[]>} names that depend on the order
 */
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
  const parsed = parseText(await readFile(file, 'utf8'), file, { depth: depthLimit, duplicateKeys: 0 });
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
