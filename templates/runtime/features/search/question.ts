// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads a question: its words with others of about the same meaning, its kind of work, one thing or many. */
import { type Verb, isQuestionWord, isStopWord, splitWords, stemWord, verbsOf } from './words.ts';
import type { SearchIndex } from './search-index.ts';
import { PHRASES, SYNONYMS } from './synonyms.ts';

/** How much the parts of a question count. Tuned by `npm run bench:search`. */
export const PARTS = {
  synonym: 0.8,
  /** The synonym of a word that the index has. */
  known: 0.5,
  /** Another form of a word that the index has. */
  relative: 0.15,
  /** Another form or spelling of a word that the index lacks. */
  replacement: 0.3,
  /** Verbs tell less of what a tool is about than nouns. */
  verb: 0.5,
  /** How much `my` and `I` count where paths have `me`. */
  self: 0.3,
  /** How much `who`, `everybody` and `she` count: the API has a word for people. */
  pronoun: 0.5,
};

/** A question longer than this is cut: models ask by few words. */
const MOST_WORDS = 24;

export interface Asked {
  /** The word and words that mean about the same; each with its part of the weight. */
  alternatives: readonly (readonly [word: string, part: number])[];
  isVerb: boolean;
  /** The word is after the first `of`, `in`, `for`…, and says where the thing is. */
  isContext: boolean;
  /** No tool needs the word. */
  isExtra: boolean;
}

export interface Question {
  asked: Asked[];
  verbs: ReadonlySet<Verb>;
  isQuestion: boolean;
  /** Whether the question is about things in the plural. */
  isPlural: boolean;
}

const FILLERS: ReadonlySet<string> = new Set(
  'i we you want like would could can please need to let me us d ll just now have'.split(' '),
);
/** APIs have few words for deleting, people have many. */
const DELETING = ['delet', 'remov'];

const READING: readonly Verb[] = ['list', 'get'];
const WRITING: readonly Verb[] = ['create', 'update'];
const JOINING: ReadonlySet<string> = new Set(
  'of in for from to on at by with into onto about inside within under behind between across out off that which who where whose so'.split(
    ' ',
  ),
);
const SELF: ReadonlySet<string> = new Set(['i', 'my', 'mine', 'myself']);

export function readQuestion(text: string, index: SearchIndex): Question {
  const said = splitWords(replaceIdioms(text)).slice(0, MOST_WORDS);
  const start = said.findIndex((word) => !FILLERS.has(word));
  const first = said[start] ?? '';
  const begins = isQuestionWord(said[0] ?? '');
  const isEnding = !begins && ENDING.test(text);
  // `By which`, `for whom`
  const isAsked =
    begins || isQuestionWord(first) || (JOINING.has(said[0] ?? '') && isQuestionWord(said[1] ?? ''));
  const isQuestion = isAsked && !isEnding;
  const clause = said.findIndex((word, at) => at > 0 && DESCRIBING.has(word));
  const main = clause === -1 ? said : said.slice(0, clause);
  const spoken = isEnding ? 'delet' : (main.map(stemWord).find((word) => verbsOf(word).length > 0) ?? '');
  const verb = isQuestion ? '' : spoken;
  const kinds = verb === '' ? guessVerbs(isQuestion, first, said[start + 1] ?? '') : verbsOf(verb);
  const thing = said.findIndex((word, at) => at >= start && !isStopWord(word) && stemWord(word) !== spoken);
  const joined = said.findIndex((word, at) => thing !== -1 && at > thing && JOINING.has(word));
  const nouns = readNouns(said, joined === -1 ? said.length : joined);
  const joins = mapJoinedWords(said);
  const asked = nouns.map((noun): Asked => {
    const { word, isContext, isPronoun } = noun;
    const part = (verbsOf(word).length > 0 ? PARTS.verb : 1) * (isPronoun ? PARTS.pronoun : 1);
    const weigh = (words: readonly string[], share: number) =>
      words.map((other) => [other, part * share] as const);
    return {
      isVerb: word === verb,
      isContext,
      isExtra: isPronoun || word === verb,
      alternatives: [
        [word, part],
        ...[...(joins.get(word) ?? [])].map((each) => [each, 1] as const),
        ...(word === verb && kinds.includes('delete') ? weigh(DELETING, PARTS.synonym) : []),
        ...weigh(findSynonyms(word, index), isPronoun || index.hasWord(word) ? PARTS.known : PARTS.synonym),
        ...findRelatedWords(word, index).map(([other, share]) => [other, part * share] as const),
      ],
    };
  });
  if (said.some((word, at) => at > start && SELF.has(word)))
    asked.push({ isVerb: false, isContext: true, isExtra: true, alternatives: [['@me', PARTS.self]] });
  return {
    asked,
    verbs: new Set(kinds.some((kind) => READING.includes(kind)) ? [...kinds, ...READING] : kinds),
    isQuestion,
    isPlural: nouns.some(({ isPlural, isContext }) => isPlural && !isContext),
  };
}

/** A word after one of these says which thing is meant, not what to do: `the chapters of a book`. */
const DESCRIBING: ReadonlySet<string> = new Set(['of', 'that', 'which', 'who', 'whose']);

/** The kind of work when no known verb is said: `label clips` may name clips, or be an order. */
function guessVerbs(isQuestion: boolean, first: string, second: string): readonly Verb[] {
  const isDescribed = isPluralWord(first) && DESCRIBING.has(second);
  if (isQuestion || isStopWord(first) || isDescribed) return READING;
  return DETERMINERS.has(second) ? WRITING : [...READING, ...WRITING];
}

/** The word after an order has one of these: `label my clip`. */
const DETERMINERS: ReadonlySet<string> = new Set(
  'a an the this that these those my our your his her its their each every some any no another'.split(' '),
);

/** A noun for a person by what they do (`seller`); it counts as a person if the API does not have the word. */
const AGENT = /^.{3,}(?:er|or|ist|ian|man)$/;

function findSynonyms(word: string, index: SearchIndex): readonly string[] {
  const isAgent = AGENT.test(word) && !index.hasWord(word);
  return SYNONYMS.get(word) ?? (isAgent ? SYNONYMS.get('person') : undefined) ?? [];
}

/** Matches words by which somebody no longer wants a thing. */
const ENDING =
  /\b(?:any ?(?:more|longer)|no longer|not? more|after all|do(?:n['’]?t| not) (?:need|want|use))\b/i;

/** Words that mean another than the first alone; what is between them may be the thing itself (`take it off`). */
const IDIOMS: readonly (readonly [idiom: RegExp, word: string])[] = [
  [/\b(?:get(?:ting)?\s+rid|tear(?:ing)?\s+down)\b/gi, 'delete'],
  [/\b(?:giv(?:e|ing)\s+up|call(?:ed|ing)?\s+off)\b/gi, 'cancel'],
  [/\bset(?:ting)?\s+up\b/gi, 'create'],
  [/\bsign(?:ing)?\s+up\b/gi, 'register'],
  [/\b(?:log|sign)(?:s|g?ed|g?ing)?[ -](?:on|in)\b/gi, 'login'],
  [/\b(?:log|sign)(?:s|g?ed|g?ing)?[ -](?:\w+ )?(?:out|off)\b/gi, 'logout'],
  [/\b(?:tak|throw|kick|clean|drop|wip)(?:e|ing)?\b(?=.*\b(?:away|off|out)\b)/gi, 'remove'],
  [/\b(?:bring|put|get|give)\b(?=.*\bback\b)/gi, 'restore'],
  [/\b(?:turn|switch)\b(?=.*\bon\b)/gi, 'enable'],
  [/\b(?:turn|switch)\b(?=.*\boff\b)/gi, 'disable'],
  [/\b(?:go(?:es|ing)?|carry)\s+(?:on|again)\b/gi, 'resume'],
  [/\bshut(?:ting)?\s+down\b/gi, 'stop'],
  [/\bback(?:ed|ing)?\s+up\b/gi, 'backup'],
  [/\broll(?:ed|ing)?\s+out\b/gi, 'deploy'],
  [/\broll(?:ed|ing)?\s+back\b/gi, 'revert'],
  [/\bhang(?:ing)?\s+up\b/gi, 'end'],
  [/\bhand(?=.*\bover\b)/gi, 'transfer'],
  [/\bfill\s+in\b/gi, 'set'],
];

function replaceIdioms(text: string): string {
  return [...IDIOMS, ...PHRASES].reduce((left, [idiom, word]) => left.replaceAll(idiom, word), text);
}

interface Noun {
  word: string;
  isPlural: boolean;
  isContext: boolean;
  isPronoun: boolean;
}

const PRONOUN = /^(?:who|whom|whoever|(?:some|any|every|no)(?:one|body)|people|he|him|she|hers?|his)$/;

function readNouns(said: readonly string[], context: number): Noun[] {
  const nouns = new Map<string, Noun>();
  for (const [at, each] of said.entries()) {
    const isPronoun = PRONOUN.test(each);
    if (isStopWord(each) && !isPronoun) continue;
    const word = isPronoun ? 'person' : stemWord(each);
    if (!nouns.has(word))
      nouns.set(word, { word, isPlural: isPluralWord(each), isContext: at > context, isPronoun });
  }
  return [...nouns.values()];
}

function isPluralWord(word: string): boolean {
  return word === 'people' || (word.length > 3 && /[^s]s$/.test(word) && !/(?:us|is)$/.test(word));
}

/** `api service` is `apiservices` in many a path, `plug-in` a `plugin`: two or three words. */
function mapJoinedWords(said: readonly string[]): Map<string, Set<string>> {
  const joins = new Map<string, Set<string>>();
  const telling = said.filter((word) => !isStopWord(word));
  for (const words of [said, telling])
    for (const at of words.keys())
      for (const parts of [words.slice(at, at + 2), words.slice(at, at + 3)])
        for (const part of parts.length > 1 ? parts : [])
          joins.set(stemWord(part), (joins.get(stemWord(part)) ?? new Set()).add(stemWord(parts.join(''))));
  return joins;
}

const LEAST_RELATED = 5;
const MOST_RELATED = 40;

/** Words of the index that begin alike (`approve`, `approval`); if there are none, one letter may differ. */
function findRelatedWords(word: string, index: SearchIndex): [word: string, part: number][] {
  if (/\d/.test(word)) return [];
  if (word.length < LEAST_RELATED)
    return word.length < 3 || index.hasWord(word)
      ? []
      : index
          .wordsBeginningWith(word, MOST_RELATED)
          .filter((other) => other.length >= word.length + 3)
          .map((other) => [other, PARTS.relative]);
  const start = word.slice(0, Math.max(LEAST_RELATED, Math.ceil(word.length * 0.7)));
  const alike = index
    .wordsBeginningWith(start, MOST_RELATED)
    .filter((other) => other !== word && Math.abs(other.length - word.length) <= 4);
  const isKnown = index.hasWord(word);
  const part = isKnown ? PARTS.relative : PARTS.replacement;
  if (alike.length > 0 || isKnown) return alike.map((other) => [other, part]);
  const near = index
    .wordsBeginningWith(word.slice(0, 1), MOST_COMPARED)
    .filter((other) => differsByOneEdit(word, other))
    .map((other): [string, number] => [other, PARTS.replacement]);
  return near.length > 0 ? near : findPartsOfWord(word, index).map((part) => [part, 1]);
}

/** Known words that an unknown one ends or begins with: `subaccount` is an `account`. */
function findPartsOfWord(word: string, index: SearchIndex): string[] {
  const cuts = Array.from(
    { length: Math.max(0, word.length - 2 * LEAST_PART + 1) },
    (_, at) => at + LEAST_PART,
  );
  const findKnownPart = (cut: (at: number) => string) =>
    cuts.map(cut).find((part) => part.length > LEAST_PART && index.hasWord(part));
  return [findKnownPart((at) => word.slice(at)), findKnownPart((at) => word.slice(0, -at))].filter(
    (part) => part !== undefined,
  );
}

const LEAST_PART = 3;

const MOST_COMPARED = 2_000;

/** One edit is a letter more, less or other, or two letters that changed places. */
function differsByOneEdit(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
