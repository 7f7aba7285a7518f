/** Plain BM25 over lists of words. */

/** Saturation of repeated words, and the weight of the length of a text (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

interface Rank {
  /** 1 is the first. Equal scores share the better place. */
  place: number;
  /** Index of the best text. */
  first: number;
}

/** The rank of the text `own` for a query, among all texts. */
export function rankByWords(texts: readonly string[][]): (query: readonly string[], own: number) => Rank {
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const postings = new Map<string, Map<number, number>>();
  for (const [index, words] of texts.entries())
    for (const word of words) {
      const found = postings.get(word) ?? new Map<number, number>();
      postings.set(word, found.set(index, (found.get(index) ?? 0) + 1));
    }
  return (query, own) => {
    const scores = new Map<number, number>();
    for (const word of new Set(query)) {
      const found = postings.get(word) ?? new Map<number, number>();
      const weight = Math.log(1 + (texts.length - found.size + 0.5) / (found.size + 0.5));
      for (const [index, count] of found) {
        const length = 1 - B + (B * (texts[index]?.length ?? 0)) / mean;
        const score = (weight * count * (K1 + 1)) / (count + K1 * length);
        scores.set(index, (scores.get(index) ?? 0) + score);
      }
    }
    return placeOf(scores, own);
  };
}

function placeOf(scores: ReadonlyMap<number, number>, own: number): Rank {
  const mine = scores.get(own) ?? 0;
  let [place, first, best] = [1, own, mine];
  for (const [index, score] of scores) {
    if (score > mine) place += 1;
    if (score > best) [first, best] = [index, score];
  }
  return { place, first };
}
