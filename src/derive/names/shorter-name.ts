/** Names that are too long lose words. Which ones a name needs depends on the other names of its document, its siblings. */
import { createHash } from 'node:crypto';
import { verbsOf } from '../../../templates/runtime/features/search/words.ts';
import { groupBy } from '../../util/collections.ts';
import { cleanName } from './clean-name.ts';

/** A longer name is no words of a person, and would take long. */
const LONGEST_READ = 256;

/** A word of more names tells none apart. */
const MOST_SIBLINGS = 100;

const ARTICLE = /^(?:an?|and|or|the)$/;
const PREPOSITION = /^(?:as|at|by|for|from|in|of|on|to|under|with)$/;

/** The names of a document that have a word, each as its words. */
export type Siblings = ReadonlyMap<string, readonly { words: readonly string[] }[]>;

export function indexNames(names: Iterable<string>): Siblings {
  const uses = [...new Set(names)].flatMap((name) => {
    const words = listTellingWords(splitNameWords(name));
    return [...new Set(words)].map((word) => ({ word, words }));
  });
  return groupBy(uses, ({ word }) => word);
}

/** Leaves out whole words until the name fits, but neither its verb nor those by which it differs from a sibling. One long word is cut. */
export function fitName(name: string, limit: number, siblings: Siblings = new Map()): string {
  if (name.length <= limit) return name;
  const nameWords = splitNameWords(name);
  const words = listTellingWords(nameWords);
  const remaining = new Set(nameWords);
  for (const isCareful of [true, false]) {
    for (const word of listByWorth(nameWords, siblings)) {
      if (joinWords(nameWords, remaining).length <= limit) break;
      remaining.delete(word);
      const fewerWords = listTellingWords(nameWords.filter((other) => remaining.has(other)));
      if (isCareful && isUnclear(fewerWords, words, siblings)) remaining.add(word);
    }
  }
  // Marks alone are no name.
  return joinWords(nameWords, remaining).slice(0, limit) || addHash('', name, limit);
}

/** Whether the name of a sibling could be shortened to `fewerWords` too. One that has all `words` is no concern. */
function isUnclear(fewerWords: readonly string[], words: readonly string[], siblings: Siblings): boolean {
  const lists = fewerWords.map((word) => siblings.get(word) ?? []);
  const [similar = []] = lists.sort((one, other) => one.length - other.length);
  if (similar.length > MOST_SIBLINGS) return true;
  return similar.some((other) => isWithin(fewerWords, other.words) && !isWithin(words, other.words));
}

/** Whether `words` has all of `fewerWords`, in their order. */
function isWithin(fewerWords: readonly string[], words: readonly string[]): boolean {
  let at = 0;
  for (const word of words) if (word === fewerWords[at]) at++;
  return at === fewerWords.length;
}

/** `word` is the text in lower case. The marks stand behind it. */
interface NameWord {
  text: string;
  word: string;
  marks: string;
}

/** `getAllRepos_list` → `get`, `All`, `Repos_`, `list`. What begins with a digit is one word: `6VMVoch`. */
function splitNameWords(name: string): NameWord[] {
  const pattern = /((?<![A-Za-z])\d[A-Za-z\d]*|[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+)([_./-]*)/g;
  const parts = [...name.slice(0, LONGEST_READ).matchAll(pattern)];
  return parts.map(([, text = '', marks = '']) => ({ text, word: text.toLowerCase(), marks }));
}

function listTellingWords(nameWords: readonly NameWord[]): string[] {
  return nameWords.map(({ word }) => word).filter((word) => !ARTICLE.test(word) && !PREPOSITION.test(word));
}

/** Where words are left out, the strongest mark stays: `_` before `-`. */
function joinWords(nameWords: readonly NameWord[], remaining: ReadonlySet<NameWord>): string {
  let name = '';
  let mark = '';
  for (const nameWord of nameWords) {
    const { text, marks } = nameWord;
    if (remaining.has(nameWord)) name += name === '' ? text : `${mark}${text}`;
    mark = remaining.has(nameWord) || marks > mark ? marks : mark;
  }
  return name;
}

/**
 * Lists the words that may go, the least telling first. Groups before the verb are among them, unless a preposition follows it:
 * `packages_list-for-user` is about packages. Of equals the one that most siblings have is first, then the one in the middle.
 */
function listByWorth(nameWords: readonly NameWord[], siblings: Siblings): NameWord[] {
  const words = nameWords.map(({ word }) => word);
  const stems = words.map((word) => word.replace(/s$/, ''));
  const isInGroup = (at: number): boolean => nameWords.slice(0, at).some(({ marks }) => marks.includes('_'));
  const isVerb = (word: string, at: number): boolean =>
    (at === 0 || isInGroup(at)) && !word.endsWith('s') && verbsOf(word).length > 0;
  const verb = Math.max(0, words.findIndex(isVerb));
  const preposition = words.findIndex((word, at) => at > verb && PREPOSITION.test(word));
  const worthOf = (word: string, at: number): number => {
    const isBehind = preposition !== -1 && at > preposition;
    if (ARTICLE.test(word)) return 0;
    if (PREPOSITION.test(word)) return 1;
    if (at < verb) return preposition === verb + 1 ? 7 : 2;
    if (at === words.length - 1) return isBehind ? 4 : 6;
    if (stems.indexOf(stems[at] ?? '', verb) < at) return 3;
    return isBehind ? 2 : 5;
  };
  return nameWords
    .map((nameWord, at) => {
      const rarity = 1 / (1 + (siblings.get(nameWord.word)?.length ?? 0));
      return {
        nameWord,
        at,
        worth: worthOf(nameWord.word, at) + rarity,
        distance: Math.abs(at - words.length / 2),
      };
    })
    .filter(({ at }) => at !== verb)
    .sort((one, other) => one.worth - other.worth || one.distance - other.distance)
    .map(({ nameWord }) => nameWord);
}

/** Whether `name` was made from `text` by the limit or alphabet of an earlier run. */
export function isMadeFrom(name: string, text: string): boolean {
  return (['models', 'spec'] as const).some(
    (alphabet) => fitName(cleanName(text, alphabet), name.length) === name,
  );
}

/** `<name, shortened>_<suffix>` */
export function addSuffix(name: string, suffix: string, limit: number): string {
  const head = fitName(name, Math.max(0, limit - suffix.length - 1));
  return head === '' ? suffix : `${head}_${suffix}`;
}

/** Adds a hash of `content`, to separate equal names. */
export function addHash(name: string, content: string, limit: number): string {
  return addSuffix(name, contentHash(content, 8), limit);
}

/** `digits` are hexadecimal. */
export function contentHash(content: string, digits: number): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}
