/** Finds repeated keys of JSON objects, which `JSON.parse` ignores. */
import { isContainer } from './json-depth.ts';
import { type DuplicateKey, KeyGatherer } from './duplicate-keys.ts';

/**
 * Counting possible ends of keys is cheap, and never counts too few. If the value has as many members, no key was
 * lost.
 */
export function findDuplicateKeys(text: string, value: unknown): DuplicateKey[] {
  return countKeyEnds(text) === countMembers(value) ? [] : gatherKeys(text);
}

/** Counts colons after a quote. Each key has one, and so has a string that begins with a colon. */
function countKeyEnds(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let at = colon - 1;
    while (isSpace(text.charCodeAt(at))) at -= 1;
    if (text.charCodeAt(at) === quote && !isEscaped(text, at)) count += 1;
  }
  return count;
}

const quote = 0x22;
const backslash = 0x5c;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

function countMembers(value: unknown): number {
  let count = 0;
  const open: object[] = isContainer(value) ? [value] : [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const members: unknown[] = Array.isArray(at) ? at : Object.values(at);
    if (members !== at) count += members.length;
    for (const member of members) if (isContainer(member)) open.push(member);
  }
  return count;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

function gatherKeys(text: string): DuplicateKey[] {
  const gatherer = new KeyGatherer();
  let last = { text: '', offset: 0 };
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === ':') gatherer.key(String(JSON.parse(last.text)), last.offset);
    else if (found === '{') gatherer.enter('mapping');
    else if (found === '[') gatherer.enter('list');
    else if (found === '}' || found === ']') gatherer.leave();
    else last = { text: found, offset: index };
    if (gatherer.full) break;
  }
  return gatherer.found;
}
