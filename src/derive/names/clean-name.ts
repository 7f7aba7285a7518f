/** Names that clients accept. Each result depends only on the name, never on the document's order. */
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

/** Whether a cleaned name keeps all letters and digits of `text`. */
export function keepsLetters(text: string, name: string): boolean {
  return text === name || (name !== '' && normalizeLetters(text) === normalizeLetters(name));
}
