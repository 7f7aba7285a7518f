// npm run patterns -- <folder>: how the patterns in the documents of a folder are run.
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run patterns -- <folder>\nThe folder holds OpenAPI documents.';
const [folder] = readOptions(usage, { allowPositionals: true }).positionals;
if (folder === undefined) misused(usage, 'No folder is given.');

const { inspect } = await import('../dist/src/index.js');
const { classifyPattern } = await import('../dist/templates/runtime/contract/regex/linear-patterns.js');

const guards = new Map();
const files = (await readdir(folder)).filter((name) => /\.(?:json|ya?ml)$/.test(name)).sort();
for (const name of files) {
  const { model, diagnostics } = await inspect({ source: resolve(folder, name) });
  for (const pattern of patternsIn(model)) guards.set(pattern, { name, guard: classifyPattern(pattern) });
  for (const { name: kind, message } of diagnostics)
    if (kind === 'unsafe-pattern') guards.set(message, { name, guard: 'unsafe' });
}

const others = [...guards].filter(([, { guard }]) => guard !== 'linear');
console.log(
  table(
    ['guard', 'document', 'pattern'],
    others.map(([pattern, { name, guard }]) => [guard, name, pattern]),
  ),
);
const count = (wanted) => [...guards.values()].filter(({ guard }) => guard === wanted).length;
console.log(
  `\n${guards.size} different patterns in ${files.length} documents: ${count('linear')} proved linear, ${count('guarded')} guarded, ${count('unsafe')} left out`,
);

/** @returns {Generator<string>} every `pattern`, and every name of `patternProperties` */
function* patternsIn(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.pattern === 'string') yield value.pattern;
  if (typeof value.patternProperties === 'object') yield* Object.keys(value.patternProperties ?? {});
  for (const inner of Object.values(value)) yield* patternsIn(inner);
}
