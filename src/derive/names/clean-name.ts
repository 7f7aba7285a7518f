/**
 * Names that clients accept: `^[A-Za-z0-9_.-]{1,n}$`. Each result depends only on the name, never on the document's
 * order.
 */
import { createHash } from 'node:crypto';
import { normalizeLetters } from '../../model/letters.ts';

const isClean = /^[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)*$/;

/**
 * Replaces each other character by `_`, collapses runs, trims `_` and keeps case: `repos/list` → `repos_list`. Empty
 * if nothing readable is left (`🎉`, `--`). Trimming also disarms `__proto__`.
 */
export function cleanName(text: string): string {
  if (isClean.test(text)) return text;
  const cleaned = text
    .replace(/[^A-Za-z0-9_.-]/gu, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
  return /[A-Za-z0-9]/.test(cleaned) ? cleaned : '';
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
