/**
 * Cuts a text to `budget` characters: after a sentence in the last half, else between words with `…`. Surrogate pairs
 * stay whole.
 */
export function trimText(text: string, budget: number): string {
  if (text.length <= budget) return text;
  if (budget < 1) return '';
  const head = text.slice(0, budget);
  const sentence = lastEnd(head, /[.!?](?=\s)|\n\n/g, budget / 2);
  if (sentence !== undefined) return head.slice(0, sentence).trimEnd();
  const words = head.slice(0, budget - 1);
  const space = lastEnd(words, /\s/g, budget / 2);
  return `${(space === undefined ? withoutHalfPair(words) : words.slice(0, space)).trimEnd()}…`;
}

export function firstParagraph(text: string): string {
  return (text.split(/\n\s*\n/, 1)[0] ?? '').trim();
}

function lastEnd(text: string, pattern: RegExp, least: number): number | undefined {
  let end: number | undefined;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end !== undefined && end >= least ? end : undefined;
}

function withoutHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
