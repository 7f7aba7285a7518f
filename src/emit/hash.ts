/** Hashes as locks and manifests hold them. */
import { createHash } from 'node:crypto';
import { tokensOf } from './tokens.ts';

/** Git may turn `\n` into `\r\n` on checkout; that is not an edit. */
export function hashContents(contents: string): string {
  const text = contents.includes('\r') ? contents.replaceAll('\r\n', '\n') : contents;
  // Hashing bytes is several times faster than hashing text.
  return hashBytes(Buffer.from(text));
}

/** `sha256-<hex>`: of the bytes. */
export function hashBytes(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/** `tokens-<hex>`: equal for texts that only a formatter has made differ. */
export function hashTokens(path: string, contents: string): string {
  return sealTokens(tokensOf(path, contents));
}

/** `hashTokens` of JSON that has no whitespace between tokens but line feeds: megabytes need not be scanned. */
export function hashJsonLines(contents: string): string {
  return sealTokens(contents.replace(/\r?\n/g, ''));
}

function sealTokens(tokens: string): string {
  return `tokens-${createHash('sha256').update(Buffer.from(tokens)).digest('hex').slice(0, 32)}`;
}

/** Whether a lock's entry is of this text: a hash of its bytes, one of its tokens, or both with a space between. */
export function isHashOf(entry: string | undefined, path: string, text: string): boolean {
  if (entry === undefined) return false;
  const hashes = entry.split(' ');
  if (hashes.some((hash) => hash.startsWith('sha256-')) && hashes.includes(hashContents(text))) return true;
  if (!hashes.some((hash) => hash.startsWith('tokens-'))) return false;
  return (
    (path.endsWith('.json') && hashes.includes(hashJsonLines(text))) ||
    hashes.includes(hashTokens(path, text))
  );
}
