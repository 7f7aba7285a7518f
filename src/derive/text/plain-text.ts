/**
 * Converts document texts to prose for models: Markdown at most, no HTML. Only HTML element names count as tags,
 * since documents are full of `<id>` and `List<String>`.
 */
import { removeInvisible, stripMarkdown } from '../../model/clean-prose.ts';

/** Longer texts are cut first; no description is that long. */
const mostCharacters = 20_000;

const blocks =
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend main nav ol p pre section summary table tbody tfoot thead tr ul';
const headings = 'h1 h2 h3 h4 h5 h6';
const inline =
  'a abbr b big br button cite code del dfn em font head i iframe img input ins kbd label li link mark meta object option q s samp select small span strike strong sub sup svg td textarea th tt u var video';
const elements = new Set(`${blocks} ${headings} ${inline}`.split(' '));
const breaking = new Set(`${blocks} ${headings}`.split(' '));

const marks: Record<string, string> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  code: '`',
  tt: '`',
  kbd: '`',
  samp: '`',
};
const entities: Record<string, string> = {
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
};

/** Removes HTML; code spans and fences stay unchanged. */
export function htmlToPlainText(text: string): string {
  const clean = removeInvisible(text).slice(0, mostCharacters);
  const plain = /[<&]/.test(clean) ? removeHtml(clean) : clean;
  return plain
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export function htmlToPlainLine(text: string): string {
  return joinLines(htmlToPlainText(text));
}

/** Makes each run of whitespace one space. Most are one already, and are passed over. */
export function joinLines(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ');
}

/** Removes HTML and Markdown: clients show titles as they are. */
export function htmlToTitle(text: string): string {
  return stripMarkdown(htmlToPlainLine(text));
}

function removeHtml(text: string): string {
  return text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : decodeEntities(removeTags(part))))
    .join('');
}

function removeTags(text: string): string {
  const linked = text.replace(
    /<a\b[^<>]*\bhref\s*=\s*["']?([^"'\s<>]+)["']?[^<>]*>([^<>]*)<\/a\s*>/gi,
    (_whole, href: string, label: string) => (/^https?:/i.test(href) ? `[${label.trim()}](${href})` : label),
  );
  return linked.replace(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/gi, (tag, slash: string, name: string) =>
    tagToText(tag, name.toLowerCase(), slash === '/'),
  );
}

function tagToText(tag: string, name: string, closing: boolean): string {
  if (name === 'script' || name === 'style') return '';
  if (!elements.has(name)) return tag;
  if (name === 'br') return '\n';
  if (name === 'li') return closing ? '' : '\n- ';
  if (name === 'td' || name === 'th') return closing ? ' ' : '';
  if (breaking.has(name)) return '\n\n';
  return Object.hasOwn(marks, name) ? (marks[name] ?? '') : '';
}

/** `&lt;` stays if decoding it would form a tag. */
function decodeEntities(text: string): string {
  return text
    .replace(/&lt;(?![a-z/!])/gi, '<')
    .replace(/&gt;(?=\s|=|\d)/gi, '>')
    .replace(/&#(\d{1,7}|x[0-9a-f]{1,6});/gi, (whole, code: string) => decodeCharacter(code) ?? whole)
    .replace(/&([a-z]+);/gi, (whole, name: string) =>
      Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole,
    );
}

function decodeCharacter(code: string): string | undefined {
  const point = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 10);
  if (point > 0x10ffff || point === 0x3c || point === 0x3e) return undefined;
  const character = String.fromCodePoint(point);
  // Invisible characters stay written as references.
  return removeInvisible(character) === character ? character : undefined;
}

const ended = /[.!?:;…。！？]["'`)\]*_]*$/;

/** Default for the characters of a text that stay before an appended sentence. */
const besideSentence = 200;

/** @param room characters of the text that stay */
export function appendSentence(text: unknown, sentence: string, room = besideSentence): string {
  const before = typeof text === 'string' ? trimText(htmlToPlainText(text), room) : '';
  if (before === '') return sentence;
  return `${before}${ended.test(before) ? '' : '.'} ${sentence}`;
}

/** Sentences on how a value is sent, which a model has to know whatever the document says. */
export const SENDING = {
  bytes: 'Bytes as base64 or as a data: URI.',
  part: 'Base64, or data:image/png;name=a.png;base64,…',
  text: 'Text as it is, or any bytes as a base64 data: URI.',
  file: 'A data: URI is sent as a file.',
  xml: 'An XML document.',
} as const;

/** Returns the last sentence, if it is one of `SENDING`. */
export function lastSendingSentence(text: unknown): string {
  const sentences = Object.values(SENDING);
  return sentences.find((sentence) => typeof text === 'string' && text.endsWith(sentence)) ?? '';
}

/** Cuts a text to `budget` characters so that `fact` is its end, in full if there is room. */
export function appendWithinBudget(fact: string, text: string, budget: number): string {
  if (fact === '') return trimText(text, budget);
  const prose = text.endsWith(fact) ? text.slice(0, -fact.length).trimEnd() : text;
  return trimText(appendSentence(prose, fact, Math.max(0, budget - fact.length - 2)), budget);
}

/**
 * Cuts a text to `budget` characters: after a sentence in the last half, else between words with `…`. Surrogate pairs
 * stay whole.
 */
export function trimText(text: string, budget: number): string {
  if (text.length <= budget) return text;
  if (budget < 1) return '';
  const head = text.slice(0, budget);
  const sentence = endOfLastMatch(head, /[.!?](?=\s)|\n\n/g, budget / 2);
  if (sentence !== undefined) return head.slice(0, sentence).trimEnd();
  const words = head.slice(0, budget - 1);
  const space = endOfLastMatch(words, /\s/g, budget / 2);
  return `${(space === undefined ? (/[\ud800-\udbff]$/.test(words) ? words.slice(0, -1) : words) : words.slice(0, space)).trimEnd()}…`;
}

export function firstParagraph(text: string): string {
  return (text.split(/\n\s*\n/, 1)[0] ?? '').trim();
}

function endOfLastMatch(text: string, pattern: RegExp, least: number): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end !== undefined && end >= least ? end : undefined;
}
