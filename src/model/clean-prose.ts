/**
 * Cleans prose that people and models read: titles, descriptions, comments, README. Models read invisible characters
 * of Unicode, so a text could contain instructions that nobody can review. Values are never cleaned.
 */
import { toWellFormedText } from '../util/http-syntax.ts';

/** Characters of `Default_Ignorable_Code_Point`, of `Cc` and of `Cf` that have no shape, with the blanks that pass for letters. */
const invisible =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
/** Scripts whose letters change their form at a joiner (Unicode 16, section 23.2). */
const joining =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2';
/** Scripts that separate words by a space without width. */
const unspaced = '[\\p{Script=Khmer}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}]';

/**
 * Invisible characters are kept only beside a visible character that needs them. A script's selectors, fillers and
 * direction marks belong to the script too, so each entry requires a visible neighbour; otherwise one letter could
 * carry a chain of them.
 */
const characters = [
  // Persian, Urdu and the scripts of India: between two letters, or at the end of an Indic cluster.
  `${lookBehind(joining)}[\\u200c\\u200d]${lookAhead(joining)}`,
  `(?<=[${viramas}])\\u200d(?![\\u200c\\u200d])`,
  // Persian suffixes of numbers and of Latin words.
  `(?<=[0-9\\u0660-\\u0669\\u06f0-\\u06f9\\p{Script=Latin}])\\u200c${lookAhead('\\p{Script=Arabic}')}`,
  `${lookBehind(unspaced)}\\u200b${lookAhead(unspaced)}`,
  // Emoji of several parts, such as families, and emoji in colour or as text.
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // The flags of England, Scotland and Wales. Any other sequence of tags can spell hidden text, so it is not kept.
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  // One form of a Mongolian letter, and one of a Han character (Unicode 16, section 23.4).
  `${lookBehind('(?=\\p{L})\\p{Script=Mongolian}')}[\\u180b-\\u180d\\u180f]`,
  '(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
].join('|');

function lookBehind(visible: string): string {
  return `(?<=(?![${invisible}])${visible})`;
}

function lookAhead(visible: string): string {
  return `(?=(?![${invisible}])${visible})`;
}

/** Control sequences (ECMA-48) are removed whole, since their visible rest means nothing. */
const sequences =
  '(?:\\u001b\\[|\\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\\u001b\\]|\\u009d)[^\\u0007\\u001b\\u009c\\u009d\\n]{0,256}(?:\\u0007|\\u001b\\\\|\\u009c)';

const plain = /^[\t\n\u0020-\u007e]*$/;
const part = new RegExp(`(?=[${invisible}])(?:(?<kept>${characters})|${sequences}|[${invisible}])`, 'gu');
const anyInvisible = new RegExp(`[${invisible}]`, 'gu');
/**
 * Limit of marks on one letter, as in the Stream-Safe Text Format (UAX #15). Sorting a run of marks takes quadratic
 * time.
 */
const MOST_MARKS = 30;
const mark = `(?![${invisible}])\\p{M}`;
const manyMarks = new RegExp(`((?:${mark}){${MOST_MARKS}})((?:${mark})+)`, 'gu');
/** Half of the limit is suspect, since a mark may decompose into two. */
const suspect = new RegExp(`[${invisible}]|(?:${mark}){${MOST_MARKS / 2}}`, 'u');
/** Most texts need one or two passes; more are needed only if removals form new sequences. */
const MOST_PASSES = 4;

const unusual = /[^\t\n\r\u0020-\u007e]+/g;

/** Whether a text may contain a hidden character. The test is fast, and also true for characters that are kept. */
export function mayHaveHiddenCharacters(text: string): boolean {
  if (plain.test(text)) return false;
  const parts = text.match(unusual);
  return parts !== null && suspect.test(parts.join(' '));
}

/**
 * Converts a text to NFC without invisible characters; nothing else changes. Line ends become line feeds. Cleaning a
 * clean text changes nothing.
 */
export function removeInvisible(text: string): string {
  if (plain.test(text)) return text;
  let clean = normalizeMarks(toWellFormedText(text).replace(/\r\n?|[\u2028\u2029]/g, '\n'));
  // Repeats, since removing characters may bring others together that must go too.
  for (let pass = 1, before = ''; before !== clean; pass++) {
    before = clean;
    clean = normalizeMarks(removeHiddenMatches(clean, pass === MOST_PASSES ? anyInvisible : part));
  }
  return clean;
}

function removeHiddenMatches(text: string, hidden: RegExp): string {
  return text.replace(hidden, (match, emoji: unknown) =>
    typeof emoji === 'string' ? match : match === '\u2800' ? ' ' : '',
  );
}

function normalizeMarks(text: string, removed: string[] = []): string {
  const removeExcessMarks = (unbounded: string): string =>
    unbounded.replace(manyMarks, (_run, first: string, rest: string) => {
      removed.push(rest);
      return first;
    });
  return removeExcessMarks(removeExcessMarks(text).normalize('NFC'));
}

/**
 * Describes the characters that `removeInvisible` would remove: the text that tags and variation selectors spell, else
 * code points.
 */
export function describeHidden(text: string): string | undefined {
  if (!mayHaveHiddenCharacters(text)) return undefined;
  const parts: string[] = [];
  for (const match of normalizeMarks(text, parts).matchAll(part))
    if (match.groups?.['kept'] === undefined) parts.push(match[0]);
  if (parts.length === 0) return undefined;
  const hidden = parts.join('');
  const words = decodeHidden(hidden).replace(/[^\u0020-\u007e\u00a1-\u{1ffff}]|\ufffd/gu, '');
  const whole = removeHiddenMatches(words, anyInvisible).trim();
  const spelt = whole.length <= 200 ? whole : `${whole.slice(0, 199).replace(/[\ud800-\udbff]$/, '')}…`;
  return spelt === ''
    ? listCodePoints(hidden)
    : `the text ${JSON.stringify(spelt)} (${listCodePoints(hidden)})`;
}

/** Decodes hidden text: tag characters are shifted ASCII, variation selectors encode bytes. Other characters stay. */
function decodeHidden(hidden: string): string {
  const bytes: number[] = [];
  for (const character of hidden) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xe0020 && code <= 0xe007e) bytes.push(code - 0xe0000);
    else if (code >= 0xfe00 && code <= 0xfe0f) bytes.push(code - 0xfe00);
    else if (code >= 0xe0100 && code <= 0xe01ef) bytes.push(code - 0xe0100 + 16);
    else if (code > 0x20 && code < 0x7f) bytes.push(code);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function listCodePoints(hidden: string): string {
  const counts = new Map<string, number>();
  for (const character of hidden) {
    const code = character.codePointAt(0) ?? 0;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const nameCounts = [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  return nameCounts.length <= 8
    ? nameCounts.join(', ')
    : `${nameCounts.slice(0, 8).join(', ')} and ${nameCounts.length - 8} more`;
}

/** Removes `**marks**`, for output that shows Markdown as plain text. */
export function removeEmphasis(markdown: string): string {
  return markdown.replace(/\*\*(?=\S)([^*_\n]+?)\*\*|(?<!\w)__(?=\S)([^*_\n]+?)__(?!\w)/g, '$1$2');
}

/** Removes markup: the marks of headings and emphasis, and of links all but the text. */
export function stripMarkdown(markdown: string): string {
  const lines = markdown.replace(/^ {0,3}#{1,6}[ \t]+/gm, '');
  const plain = removeEmphasis(lines.replace(/!?\[([^[\]\n]+)\]\([^()\s]*\)/g, '$1'));
  return plain.replace(/(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])/g, '$1');
}
