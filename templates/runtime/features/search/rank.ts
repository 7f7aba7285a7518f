// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Ranks tools for a question: BM25 over the fields of the index, the verb of the method, the words of the path, and the resource. */
import { type Asked, type Question, readQuestion } from './question.ts';
import { IN_HEAD, IN_PATH, type SearchIndex } from './search-index.ts';
import type { Verb } from './words.ts';

/** How the parts of a score are weighed. Tuned by `npm run bench:search`. */
const TUNING = {
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
/** The best so many tools are compared for their resources. */
const MOST_SPREAD = 40;

export interface Ranked {
  tool: number;
  score: number;
}

interface Sum {
  score: number;
  covered: number;
  pathWords: number;
  /** The end of the path says the kind of work that was asked for. */
  isSaid: boolean;
}

/** The best tools for which `isThere` holds, the best first. Equals are in the order of the index. */
export function rankTools(
  index: SearchIndex,
  text: string,
  most: number,
  isThere: (tool: number) => boolean,
): Ranked[] {
  const question = readQuestion(text, index);
  const sums = liftByResource(index, ...sumScores(index, question.asked));
  const ranked = [...sums]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([tool, sum]): Ranked[] => {
      if (!isThere(tool)) return [];
      const left = Math.max(0, index.pathWeightOf(tool) - sum.pathWords);
      const fit = scoreVerbFit(index.tools[tool]?.verb ?? 'other', sum.isSaid, question);
      return [{ tool, score: (sum.score * fit) / (1 + TUNING.unasked * left) }];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, Math.max(most, MOST_SPREAD));
  return lowerRepeatedResources(index, ranked).slice(0, most);
}

function sumScores(index: SearchIndex, asked: readonly Asked[]): [Map<number, Sum>, all: number] {
  const sums = new Map<number, Sum>();
  let all = 0;
  for (const { alternatives, isVerb, isExtra, isContext } of asked) {
    const best = new Map<number, number>();
    let weight = 0;
    for (const [word, part] of alternatives) {
      const rarity = index.rarityOf(word) ** TUNING.rarity * part;
      const count = index.forEachPosting(word, (tool, telling, fields) => {
        const isHead = (fields & IN_HEAD) !== 0;
        const isPath = (fields & IN_PATH) !== 0;
        const isInPlace = !isVerb && isPath && isHead !== isContext;
        const value = rarity * telling * (isInPlace ? TUNING.place : 1);
        best.set(tool, Math.max(best.get(tool) ?? 0, value));
        const sum = sums.get(tool) ?? { score: 0, covered: 0, pathWords: 0, isSaid: false };
        sums.set(tool, sum);
        if (isPath) sum.pathWords += rarity;
        sum.isSaid ||= isVerb && isHead;
      });
      if (count > 0) weight = Math.max(weight, rarity);
    }
    all += weight === 0 && !isExtra ? TUNING.unknown : weight;
    for (const [tool, value] of best) {
      const sum = sums.get(tool);
      if (sum === undefined) continue;
      sum.score += value;
      sum.covered += weight;
    }
  }
  return [sums, all];
}

/** Weighs each score by the coverage of the question. Then tools of one resource lift each other: what one says holds for all. */
function liftByResource(index: SearchIndex, sums: Map<number, Sum>, all: number): Map<number, Sum> {
  const { coverage, resource: lift } = TUNING;
  const best = new Map<string, number>();
  const resourceOf = (tool: number): string => index.tools[tool]?.resource ?? '';
  for (const [tool, sum] of sums) {
    sum.score *= 1 - coverage + coverage * Math.min(1, sum.covered / (all || 1));
    best.set(resourceOf(tool), Math.max(best.get(resourceOf(tool)) ?? 0, sum.score));
  }
  for (const [tool, sum] of sums)
    if (resourceOf(tool) !== '') sum.score += lift * ((best.get(resourceOf(tool)) ?? sum.score) - sum.score);
  // Tools of a good resource are found by it, though they have no word of the question.
  for (const [tool, { resource }] of index.tools.entries())
    if (resource !== '' && !sums.has(tool) && best.has(resource))
      sums.set(tool, { score: lift * (best.get(resource) ?? 0), covered: 0, pathWords: 0, isSaid: false });
  return sums;
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

/** Ranks the third tool of a resource lower, and each further one: others may be meant. */
function lowerRepeatedResources(index: SearchIndex, ranked: readonly Ranked[]): Ranked[] {
  const counts = new Map<string, number>();
  const spread = ranked.map(({ tool, score }) => {
    const resource = index.tools[tool]?.resource ?? '';
    const before = counts.get(resource) ?? 0;
    if (resource !== '') counts.set(resource, before + 1);
    return { tool, score: score * TUNING.sibling ** Math.max(0, before - 1) };
  });
  return spread.toSorted((one, other) => other.score - one.score);
}
