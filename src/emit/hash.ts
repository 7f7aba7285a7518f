/** Hashes of files for locks and manifests: of the bytes, or of the tokens, which formatters keep. */
import { createHash } from 'node:crypto';
import { tryParseJson } from '../util/try-parse-json.ts';

/** Git may turn `\n` into `\r\n` on checkout; that is not an edit. */
export function hashContents(contents: string): string {
  // Hashing bytes is several times faster than hashing text.
  return hashBytes(Buffer.from(normalizeLineEnds(contents)));
}

function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

export function hashBytes(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns `tokens-<base64url>`: equal for texts that only a formatter has made differ. */
export function hashTokens(path: string, contents: string): string {
  return `tokens-${hash128(extractTokens(path, contents))}`;
}

export function hashEntry(path: string, contents: string): string {
  return `bytes-${hash128(normalizeLineEnds(contents))} ${hashTokens(path, contents)}`;
}

/** Returns 128 bits of SHA-256, so that nobody finds a second text of a hash. */
function hash128(text: string): string {
  return createHash('sha256').update(Buffer.from(text)).digest().subarray(0, 16).toString('base64url');
}

/** `entry` is a hash of bytes, one of tokens, or both with a space between. */
export function isHashOf(entry: string | undefined, path: string, text: string): boolean {
  if (entry === undefined) return false;
  if (isHashOfBytes(entry, text)) return true;
  return entry.includes('tokens-') && entry.split(' ').includes(hashTokens(path, text));
}

/** Whether the text has the very bytes of the entry, line ends aside. */
export function isHashOfBytes(entry: string, text: string): boolean {
  const hashes = entry.split(' ');
  return (
    (entry.includes('bytes-') && hashes.includes(`bytes-${hash128(normalizeLineEnds(text))}`)) ||
    (entry.includes('sha256-') && hashes.includes(hashContents(text)))
  );
}

/** Leaves out what formatters such as Prettier and Biome change, in Markdown also the marks of lists, emphasis and tables. */
export function extractTokens(path: string, text: string): string {
  const data = path.endsWith('.json') ? tryParseJson(text) : undefined;
  if (data !== undefined) return JSON.stringify(data);
  const tokens = text.replace(/\\(?=['"])|[\s'"`,;()]+/g, '');
  return path.endsWith('.md')
    ? tokens.replace(/\\?[*_+-]+/g, '-')
    : // A union that is broken into lines begins with its operator.
      tokens.replace(/(?<=[=:<])[|&]/g, '');
}
