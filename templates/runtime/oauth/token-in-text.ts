/** What counts as a token in a text: as it came, or as URLs, forms and JSON write it. */
import { SHORTEST_SECRET } from '../redact.ts';

/** How often a text may have been put into another that encodes it: a URL in a form in JSON. */
const MOST_ENCODINGS = 3;

/** ASCII as it is encoded, which is all that a token has; the rest may stay what it is. */
const ENCODED = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\([/"\\])/gi;

export function isTokenIn(text: string, token: string): boolean {
  let plain = text;
  for (let round = 0; round < MOST_ENCODINGS && !plain.includes(token); round++) {
    const shorter = decoded(plain);
    if (shorter === plain) return false;
    plain = shorter;
  }
  return plain.includes(token);
}

/** The text with `[redacted]` in the token's place; one too short to be a secret stays. */
export function withoutToken(text: string, token: string): string {
  let rest = text;
  // Each encoding has its own look: cutting what is plain must not hide what is encoded beside it.
  for (let depth = 0; depth <= MOST_ENCODINGS && mustCut(rest, token); depth++)
    rest = cutAt(depth, rest, token);
  return rest;
}

function mustCut(text: string, token: string): boolean {
  return token.length >= SHORTEST_SECRET && isTokenIn(text, token);
}

function decoded(text: string): string {
  return text.replace(ENCODED, characterOf);
}

function characterOf(_: string, percent?: string, escaped?: string, character = ''): string {
  const code = percent ?? escaped;
  return code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16));
}

/** A text that was decoded. `starts` has where each of its characters, and its end, stood before. */
interface Placed {
  plain: string;
  starts: readonly number[];
}

function cutAt(depth: number, text: string, token: string): string {
  let placed: Placed = { plain: text, starts: Array.from({ length: text.length + 1 }, (_, at) => at) };
  for (let round = 0; round < depth; round++) placed = decodedAt(placed);
  const { plain, starts } = placed;
  const kept: string[] = [];
  let end = 0;
  for (let at = plain.indexOf(token); at !== -1; at = plain.indexOf(token, at + token.length)) {
    kept.push(text.slice(end, starts[at]));
    end = starts[at + token.length] ?? text.length;
  }
  return [...kept, text.slice(end)].join('[redacted]');
}

function decodedAt({ plain, starts }: Placed): Placed {
  const left: number[] = [];
  let from = 0;
  for (const { 0: written, index } of plain.matchAll(ENCODED)) {
    for (; from <= index; from++) left.push(starts[from] ?? 0);
    from = index + written.length;
  }
  for (; from <= plain.length; from++) left.push(starts[from] ?? 0);
  return { plain: decoded(plain), starts: left };
}
