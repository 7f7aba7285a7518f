// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Ranks tools for a question: BM25 over the fields of the index, the verb of the method, the words of the path, and the resource. */
import {
  IN_HEAD,
  IN_PATH,
  MOST_RESOURCES,
  type Postings,
  unpackWordWeight,
  inverseDocumentFrequency,
} from '../contract/search-index.ts';
import type { Verb } from '../contract/search-words.ts';
import type { SearchIndex } from './open-index.ts';
import { type Asked, type Question, readQuestion } from './question.ts';

/** How the parts of a score are weighed. Tuned by `npm run bench:search`. */
export const TUNING = {
  /** The part of a score that coverage of the question decides. */
  coverage: 0.75,
  unknown: 3.8,
  /** Below 1, so that one rare word does not outweigh two common ones. */
  rarity: 0.7,
  /** A thing that ends the path, and context that stands in the path before its end. */
  place: 1.3,
  sameVerb: 1.5,
  otherVerb: 0.7,
  /** Many an API creates by PUT, and changes by POST. */
  nearVerb: 1.15,
  /** A question that asks changes nothing. */
  asking: 0.2,
  /** An order that changes something is rarely followed by reading. */
  reading: 0.4,
  plural: 1.1,
  /** The cost of a word of the path that nobody asked for. */
  unasked: 0.045,
  /** How far the score of each tool of a resource moves towards the best of them. */
  resource: 0.3,
  /** The cost of each better tool of the same resource beyond one, so that the first results are not all of one kind. */
  sibling: 0.7,
};

export interface Ranked {
  tool: number;
  score: number;
}

interface Sums {
  scores: Float64Array;
  covered: Float64Array;
  pathWords: Float64Array;
  /** 1 if the end of the path says the kind of work that was asked for. */
  said: Uint8Array;
  /** The word at hand adds so much to each tool. All are zero before the next word. */
  best: Float64Array;
  /** The word at hand adds to these tools. */
  touched: Int32Array;
  found: Postings;
  all: number;
}

const sumsOfIndex = new WeakMap<SearchIndex, Sums>();

/** Searches end before the next begins, so they share the memory. */
function clearSums(index: SearchIndex): Sums {
  const { size } = index;
  let sums = sumsOfIndex.get(index);
  if (sums === undefined) {
    sums = {
      scores: new Float64Array(size),
      covered: new Float64Array(size),
      pathWords: new Float64Array(size),
      said: new Uint8Array(size),
      best: new Float64Array(size),
      touched: new Int32Array(size),
      found: { tools: new Int32Array(size), telling: new Uint8Array(size), count: 0 },
      all: 0,
    };
    sumsOfIndex.set(index, sums);
  }
  for (const each of [sums.scores, sums.covered, sums.pathWords, sums.said]) each.fill(0);
  sums.all = 0;
  return sums;
}

/** The best tools for which `isThere` holds, the best first. Equals are in the order of the index. */
export function rankTools(
  index: SearchIndex,
  question: string,
  most: number,
  isThere: (tool: number) => boolean,
): Ranked[] {
  const read = readQuestion(question, index);
  const sums = sumScores(index, read.asked);
  liftScoresByResource(index, sums);
  const best = pickBest(index, sums, read, Math.max(most, MOST_SPREAD), isThere);
  return lowerRepeatedResources(index, best).slice(0, most);
}

/** The best so many tools are compared for their resources. */
const MOST_SPREAD = 40;

function sumScores(index: SearchIndex, asked: readonly Asked[]): Sums {
  const sums = clearSums(index);
  const { scores, covered, pathWords, best, touched, found } = sums;
  for (const { alternatives, isVerb, isExtra, isContext } of asked) {
    const place = isVerb ? -1 : isContext ? IN_PATH : IN_PATH + IN_HEAD;
    let count = 0;
    let weight = 0;
    for (const [word, part] of alternatives) {
      index.readPostingsOf(word, found);
      const own = inverseDocumentFrequency(index.size, found.count) ** TUNING.rarity * part;
      if (found.count > 0) weight = Math.max(weight, own);
      for (let at = 0; at < found.count; at++) {
        const tool = found.tools[at] ?? 0;
        const telling = found.telling[at] ?? 0;
        const isInPlace = (telling & (IN_PATH + IN_HEAD)) === place;
        const value = own * unpackWordWeight(telling) * (isInPlace ? TUNING.place : 1);
        const before = best[tool] ?? 0;
        if (before === 0) touched[count++] = tool;
        if (value > before) best[tool] = value;
        if ((telling & IN_PATH) !== 0) pathWords[tool] = (pathWords[tool] ?? 0) + own;
        if (isVerb && (telling & IN_HEAD) !== 0) sums.said[tool] = 1;
      }
    }
    sums.all += weight === 0 && !isExtra ? TUNING.unknown : weight;
    for (let at = 0; at < count; at++) {
      const tool = touched[at] ?? 0;
      scores[tool] = (scores[tool] ?? 0) + (best[tool] ?? 0);
      covered[tool] = (covered[tool] ?? 0) + weight;
      best[tool] = 0;
    }
  }
  return sums;
}

/** Weighs each score by the coverage of the question. Then tools of one resource lift each other: what one says holds for all. */
function liftScoresByResource(index: SearchIndex, { scores, covered, all }: Sums): void {
  const { coverage, resource } = TUNING;
  const best = new Float64Array(MOST_RESOURCES);
  for (let tool = 0; tool < index.size; tool++) {
    const sum = scores[tool] ?? 0;
    if (sum === 0) continue;
    const score = sum * (1 - coverage + coverage * Math.min(1, (covered[tool] ?? 0) / (all || 1)));
    scores[tool] = score;
    const number = index.resource(tool);
    if (score > (best[number] ?? 0)) best[number] = score;
  }
  for (let tool = 0; tool < index.known; tool++) {
    const number = index.resource(tool);
    const score = scores[tool] ?? 0;
    if (number !== 0) scores[tool] = score + resource * ((best[number] ?? score) - score);
  }
}

const READING: readonly Verb[] = ['list', 'get'];
const WRITING: readonly Verb[] = ['create', 'update'];

/** Scores how well a tool fits the question's verb, and whether it asks for one thing or many. */
function scoreVerbFit(verb: Verb, isSaid: boolean, { verbs, isQuestion, isPlural }: Question): number {
  const { sameVerb, nearVerb, otherVerb, asking, reading, plural } = TUNING;
  const fits = verbs.has(verb) || isSaid;
  const isNear = WRITING.includes(verb) && WRITING.some((each) => verbs.has(each));
  let value = fits ? sameVerb : isNear ? nearVerb : otherVerb;
  if (isQuestion && !fits) value *= asking;
  if (!fits && READING.includes(verb) && !READING.some((each) => verbs.has(each))) value *= reading;
  return verb === (isPlural ? 'list' : 'get') ? value * plural : value;
}

function pickBest(
  index: SearchIndex,
  { scores, pathWords, said }: Sums,
  question: Question,
  most: number,
  isThere: (tool: number) => boolean,
): Ranked[] {
  const picked: Ranked[] = [];
  // A tool whose score would not be among the best with the best fit is not looked at.
  const mostFit = TUNING.sameVerb * TUNING.plural;
  let least = 0;
  for (let tool = 0; tool < index.size; tool++) {
    const sum = scores[tool] ?? 0;
    if (sum * mostFit <= least) continue;
    const left = Math.max(0, index.pathWeightOf(tool) - (pathWords[tool] ?? 0));
    const score =
      (sum * scoreVerbFit(index.verbOfTool(tool), said[tool] === 1, question)) / (1 + TUNING.unasked * left);
    if (score <= least || !isThere(tool)) continue;
    const at = picked.findIndex((each) => each.score < score);
    picked.splice(at === -1 ? picked.length : at, 0, { tool, score });
    picked.length = Math.min(picked.length, most);
    least = picked[most - 1]?.score ?? 0;
  }
  return picked;
}

/** Ranks the third tool of a resource lower, and each further one: others may be meant. */
function lowerRepeatedResources(index: SearchIndex, ranked: readonly Ranked[]): Ranked[] {
  const counts = new Map<number, number>();
  const spread = ranked.map(({ tool, score }) => {
    const resource = index.resource(tool);
    const before = counts.get(resource) ?? 0;
    if (resource !== 0) counts.set(resource, before + 1);
    return { tool, score: score * TUNING.sibling ** Math.max(0, before - 1) };
  });
  return spread.sort((one, other) => other.score - one.score);
}
