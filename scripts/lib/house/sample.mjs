/** Draws comments and names for a reading by somebody who has not seen the code base. */
import path from 'node:path';

import { root } from '../repository.mjs';

/**
 * @param {import('./modules.mjs').Module[]} modules
 * @param {number} count of each kind
 * @param {number} seed
 * @returns {string}
 */
export function draw(modules, count, seed) {
  const random = randomFrom(seed);
  const placed = (module, text) => `${path.relative(root, module.file)}: ${text}`;
  const comments = modules.flatMap((module) => module.comments.map(({ text }) => placed(module, text)));
  const names = modules.flatMap((module) => module.functions.map(({ name }) => placed(module, name)));
  const lines = (all) => pick(all, count, random).map((text, at) => `${at + 1}. ${text}`);
  return [`Seed ${seed}`, '', 'Comments', ...lines(comments), '', 'Names', ...lines(names)].join('\n');
}

function pick(all, count, random) {
  const rest = [...all];
  const taken = [];
  while (taken.length < count && rest.length > 0)
    taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return taken;
}

/** Mulberry32. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
