/** Plain BM25 over lists of words: by it `lint` judges tools, and the search benchmark its ranker. */

/** Saturation of repeated words, and the weight of the length of a text (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

interface Rank {
  /** 1 is the first. Equal scores share the better place. */
  place: number;
  /** Index of the best text. */
  first: number;
}

/** A text that has a word, with what the word adds to its score. */
interface Posting {
  index: number;
  score: number;
}

/** Scores each text for a query. */
export function scoreByWords(texts: readonly string[][]): (query: readonly string[]) => Float64Array {
  const postings = makePostings(texts);
  return (query) => {
    const scores = new Float64Array(texts.length);
    for (const word of new Set(query))
      for (const { index, score } of postings.get(word) ?? []) scores[index] = (scores[index] ?? 0) + score;
    return scores;
  };
}

/** The rank of the text `own` among all that have a score. */
export function findRank(scores: Float64Array, ownIndex: number): Rank {
  const mine = scores[ownIndex] ?? 0;
  let [place, first, best] = [1, ownIndex, mine];
  scores.forEach((score, index) => {
    if (score > mine) place += 1;
    if (score > best) [first, best] = [index, score];
  });
  return { place, first };
}

function makePostings(texts: readonly string[][]): Map<string, Posting[]> {
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const postings = new Map<string, Posting[]>();
  for (const [index, textWords] of texts.entries()) {
    const length = 1 - B + (B * textWords.length) / mean;
    const counts = new Map<string, number>();
    for (const word of textWords) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const posting = { index, score: (count * (K1 + 1)) / (count + K1 * length) };
      const wordPostings = postings.get(word);
      if (wordPostings === undefined) postings.set(word, [posting]);
      else wordPostings.push(posting);
    }
  }
  for (const wordPostings of postings.values()) {
    const weight = Math.log(1 + (texts.length - wordPostings.length + 0.5) / (wordPostings.length + 0.5));
    for (const posting of wordPostings) posting.score *= weight;
  }
  return postings;
}
