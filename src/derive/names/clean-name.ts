/**
 * Names that clients accept: `^[A-Za-z0-9_.-]{1,n}$`. Each result depends only on the name, never on the document's
 * order.
 */
import { createHash } from 'node:crypto';
import { isAscii, normalizeLetters } from '../../model/letters.ts';

const isClean = /^[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)*$/;

/**
 * Replaces each other character by `_`, collapses runs, trims `_` and keeps case: `repos/list` → `repos_list`.
 * Accented, Greek and Cyrillic letters become Latin ones. Empty if nothing readable is left (`🎉`, `--`). Trimming also
 * disarms `__proto__`.
 */
export function cleanName(text: string): string {
  if (isClean.test(text)) return text;
  const cleaned = toLatin(text)
    .replace(/[^A-Za-z0-9_.-]/gu, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
  return /[A-Za-z0-9]/.test(cleaned) ? cleaned : '';
}

const latinLetters: ReadonlyMap<string, string> = new Map(
  (
    'ß:ss æ:ae œ:oe ø:o đ:d ð:d þ:th ł:l ħ:h ı:i ŋ:ng ŧ:t ' +
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o ' +
    'а:a б:b в:v г:g д:d е:e ё:yo ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh ' +
    'щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:yi є:ye ґ:g ў:u ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ѓ:g ќ:k'
  )
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(2)]),
);

/** Compatibility forms lose their marks: `é` → `e`, `ﬁ` → `fi`. Letters of other alphabets stay. */
function toLatin(text: string): string {
  if (isAscii(text)) return text;
  return [...text.normalize('NFC')].map((letter) => latinLetter(letter) ?? decomposed(letter)).join('');
}

function decomposed(letter: string): string {
  const bases = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...bases].map((base) => latinLetter(base) ?? base).join('');
}

function latinLetter(letter: string): string | undefined {
  const lower = letter.toLowerCase();
  const latin = latinLetters.get(lower);
  return latin === undefined || lower === letter ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
}

/** Explains why clients refuse `name`, in words that follow a colon. */
export function nameFault(name: string, limit: number): string | undefined {
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) return 'clients accept letters, digits, "_", "-" and "." alone';
  if (name.length > limit) return `a name has ${limit} characters at most`;
  return name === '__proto__' ? 'in JavaScript it is the name of something else' : undefined;
}

/** Whether a cleaned name keeps all letters and digits of `text`. */
export function keepsLetters(text: string, name: string): boolean {
  return text === name || (name !== '' && normalizeLetters(text) === normalizeLetters(name));
}

/** Shortens by whole words; a first word that is too long is cut and marked with a hash of the whole name. */
export function fitName(name: string, limit: number): string {
  if (name.length <= limit) return name;
  const head = wholeWords(name, limit);
  return head === '' ? withHash(name, name, limit) : head;
}

/** `<as many whole words of name as fit>_<suffix>` */
export function withSuffix(name: string, suffix: string, limit: number): string {
  const room = limit - suffix.length - 1;
  const head = name.length <= room ? name : wholeWords(name, room) || name.slice(0, Math.max(0, room));
  return trimmed(`${trimmed(head)}_${suffix}`);
}

/** Adds a hash of `content`, to separate equal names. `digits` are hexadecimal. */
export function withHash(name: string, content: string, limit: number, digits = 8): string {
  return withSuffix(name, contentHash(content, digits), limit);
}

export function contentHash(content: string, digits: number): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}

/** The longest beginning of `name` that ends between words; empty if it would keep less than a third. */
function wholeWords(name: string, limit: number): string {
  for (let end = limit; end * 3 >= limit; end--) {
    if (isBoundary(name, end)) return trimmed(name.slice(0, end));
  }
  return '';
}

function isBoundary(name: string, at: number): boolean {
  const before = name.charAt(at - 1);
  const after = name.charAt(at);
  return /[_.-]/.test(after) || /[_.-]/.test(before) || (/[a-z0-9]/.test(before) && /[A-Z]/.test(after));
}

function trimmed(name: string): string {
  return name.replace(/^_+|[_.-]+$/g, '');
}
