/** Plain BM25 over lists of words: the search benchmark compares the ranker of the runtime with it. */

/** Saturation of repeated words, and the weight of the length of a text (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

/** Scores each text for a query. */
export function scoreByWords(texts) {
  const postings = makePostings(texts);
  return (query) => {
    const scores = new Float64Array(texts.length);
    for (const word of new Set(query))
      for (const { index, score } of postings.get(word) ?? []) scores[index] = (scores[index] ?? 0) + score;
    return scores;
  };
}

function makePostings(texts) {
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const postings = new Map();
  for (const [index, textWords] of texts.entries()) {
    const length = 1 - B + (B * textWords.length) / mean;
    const counts = new Map();
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
