/** Hashes as locks hold them. */
import { createHash } from 'node:crypto';

/** Git may turn `\n` into `\r\n` on checkout; that is not an edit. */
export function hashContents(contents: string): string {
  const text = contents.includes('\r') ? contents.replaceAll('\r\n', '\n') : contents;
  // Hashing bytes is several times faster than hashing text.
  return hashBytes(Buffer.from(text));
}

/** `sha256-<hex>`, as locks hold it. */
export function hashBytes(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}
