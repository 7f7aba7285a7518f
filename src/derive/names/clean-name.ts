/** Names that clients accept. Each result depends only on the name, never on the document's order. */
import { createHash } from 'node:crypto';
import { normalizeLetters, transliterateToLatin } from '../../model/letters.ts';

/** Marks of names, beside ASCII letters and digits. */
const ALPHABETS = {
  /** The APIs of OpenAI and Anthropic refuse a whole request for one tool name with another character (2026-11). */
  models: '_-',
  /** The marks that MCP allows, for tools with `toolNames: spec`. */
  spec: '_-./',
  /** The marks in names of arguments, prompts and resources. */
  items: '_-.',
} as const;

export type Alphabet = keyof typeof ALPHABETS;

interface Patterns {
  legal: RegExp;
  /** A run of characters that are `_` or outside the alphabet. */
  illegal: RegExp;
}

const patterns = Object.fromEntries(
  Object.entries(ALPHABETS).map(([alphabet, all]): [string, Patterns] => {
    const marks = all.replace('-', String.raw`\-`);
    const legal = new RegExp(`^[A-Za-z0-9${marks}]+$`);
    return [alphabet, { legal, illegal: new RegExp(`[^A-Za-z0-9${marks.slice(1)}]+`, 'gu') }];
  }),
) as Record<Alphabet, Patterns>;

/**
 * Replaces each run of other characters by `_` and keeps case: `repos/list` → `repos_list`. A legal name stays as it
 * is. Letters of all scripts become Latin ones. Empty if nothing readable is left (`🎉`, `--`).
 */
export function cleanName(text: string, alphabet: Alphabet = 'items'): string {
  const { legal, illegal } = patterns[alphabet];
  const cleaned = legal.test(text)
    ? text
    : replaceIllegalCharacters(transliterateToLatin(text), illegal).replace(/^_|_$/g, '');
  if (!/[A-Za-z0-9]/.test(cleaned)) return '';
  return isReserved(cleaned) ? cleaned.replace(/^_+|_+$/g, '') : cleaned;
}

/** Cleans a prefix of names, but keeps the separator at its end. */
export function cleanPrefix(prefix: string, alphabet: Alphabet): string {
  return replaceIllegalCharacters(prefix, patterns[alphabet].illegal);
}

function replaceIllegalCharacters(text: string, illegal: RegExp): string {
  return text.replace(illegal, (run) => (/[^_]/.test(run) ? '_' : run));
}

/** Whether JavaScript has another meaning for the name. */
function isReserved(name: string): boolean {
  return name === '__proto__';
}

/** Explains why clients refuse `name`, in words that follow a colon. */
export function findNameFault(name: string, limit: number, alphabet: Alphabet = 'items'): string | undefined {
  const marks = [...ALPHABETS[alphabet]].map((mark) => `"${mark}"`);
  const allowed = `letters, digits, ${marks.slice(0, -1).join(', ')} and ${marks.at(-1) ?? ''}`;
  if (!patterns[alphabet].legal.test(name)) return `clients accept ${allowed} alone`;
  if (name.length > limit) return `a name has ${limit} characters at most`;
  return isReserved(name) ? 'in JavaScript it is the name of something else' : undefined;
}

/** Whether `name` was made from `text` by the limit or alphabet of an earlier run. */
export function isMadeFrom(name: string, text: string): boolean {
  return (['models', 'spec'] as const).some(
    (alphabet) => fitName(cleanName(text, alphabet), name.length) === name,
  );
}

/** Whether a cleaned name keeps all letters and digits of `text`. */
export function keepsLetters(text: string, name: string): boolean {
  return text === name || (name !== '' && normalizeLetters(text) === normalizeLetters(name));
}

/** A longer name is no words of a person, and would take long. */
const LONGEST_READ = 512;

/** Words that say least, in the order in which they are left out. */
const LITTLE = [/^(?:a|an|the)$/, /^(?:and|as|at|by|for|from|in|of|on|or|to|with)$/, /^(?:api|rest|v\d+)$/];

/** Leaves out whole words until the name fits: those that say least, then repeated ones, then those in the middle. One long word is cut. */
export function fitName(name: string, limit: number): string {
  if (name.length <= limit) return name;
  const nameWords = splitNameWords(name.slice(0, LONGEST_READ));
  const measure = (): number => nameWords.reduce((sum, word) => sum + word.length, 0);
  while (nameWords.length > 1 && measure() > limit) {
    const at = findLeastTelling(nameWords);
    const [word = ''] = nameWords.splice(at, 1);
    const before = nameWords[at - 1];
    // `environmentId_members` is `environment_members` without `Id_`.
    if (before !== undefined)
      nameWords[at - 1] = before.replace(/[_./-]+$/, '') + (/[_./-]+$/.exec(word)?.[0] ?? '');
  }
  // Marks alone are no name.
  return trimSeparators(trimSeparators(nameWords.join('')).slice(0, limit)) || addHash('', name, limit);
}

/** Splits a name into words with the marks behind them: `get_`, `repos_`, `list`, `All`. */
function splitNameWords(name: string): string[] {
  return name.match(/[_./-]*(?:[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+)[_./-]*/g) ?? [name];
}

/** The first word is mostly a verb, and the last one says what the tool is about. */
function findLeastTelling(nameWords: readonly string[]): number {
  const texts = nameWords.map((word) => word.replace(/[_./-]+/g, '').toLowerCase());
  const isInner = (at: number): boolean => at > 0 && at < texts.length - 1;
  for (const pattern of LITTLE) {
    const at = texts.findIndex((text, index) => isInner(index) && pattern.test(text));
    if (at !== -1) return at;
  }
  const repeated = texts.findIndex((text, index) => isInner(index) && texts.indexOf(text) < index);
  return repeated === -1 ? Math.ceil((texts.length - 2) / 2) : repeated;
}

/** `<name, shortened>_<suffix>` */
export function addSuffix(name: string, suffix: string, limit: number): string {
  const room = Math.max(0, limit - suffix.length - 1);
  const head = name.length <= room ? name : cutBetweenWords(name, room) || name.slice(0, room);
  return trimSeparators(`${trimSeparators(head)}_${suffix}`);
}

/** Adds a hash of `content`, to separate equal names. `digits` are hexadecimal. */
export function addHash(name: string, content: string, limit: number, digits = 8): string {
  return addSuffix(name, contentHash(content, digits), limit);
}

export function contentHash(content: string, digits: number): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}

/** Returns the longest beginning that ends between words; empty if it would keep less than a third. */
function cutBetweenWords(name: string, limit: number): string {
  for (let end = limit; end * 3 >= limit && end > 0; end--) {
    if (isBoundary(name, end)) return trimSeparators(name.slice(0, end));
  }
  return '';
}

function isBoundary(name: string, at: number): boolean {
  const before = name.charAt(at - 1);
  const after = name.charAt(at);
  return /[_./-]/.test(after) || /[_./-]/.test(before) || (/[a-z0-9]/.test(before) && /[A-Z]/.test(after));
}

function trimSeparators(name: string): string {
  return name.replace(/^_+|[_./-]+$/g, '');
}
