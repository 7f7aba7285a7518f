/** Words for comparison: lower case, without endings of the plural, without words that are everywhere. */
import { splitWords } from '../derive/text/tool-text.ts';

const STOP = new Set(
  (
    'a an and all any api are as at be been by can do does endpoint for from given has have if in into is it its ' +
    'no not of on one operation or request single specific specified such that the their them these this to ' +
    'used using via was when which will with you your method'
  ).split(' '),
);

/** Words that say no more than the method does. */
export const METHOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  GET: ['get', 'list', 'retrieve', 'fetch', 'return', 'find', 'read', 'show'],
  HEAD: ['head', 'check'],
  POST: ['post', 'create', 'add', 'new', 'make', 'send'],
  PUT: ['put', 'update', 'replace', 'set', 'change'],
  PATCH: ['patch', 'update', 'modify', 'edit', 'change'],
  DELETE: ['delete', 'remove'],
};

/** Lists the stems in order, repeats included. */
export function stemsWithoutStopWords(text: string): string[] {
  return splitWords(text)
    .map((word) => stemWord(word.toLowerCase()))
    .filter((word) => !STOP.has(word));
}

function stemWord(word: string): string {
  return word.length < 4 ? word : word.replace(/ies$/, 'y').replace(/(?<=[^aeious])e?s$|(?<=[aeo])s$/, '');
}

/** Number of characters that are judged: a longer text says something, and splitting it takes long. */
const MOST_JUDGED = 200;

/** Whether every word is known already; a text without words says nothing either. */
export function hasOnlyKnownWords(text: string, knownWords: ReadonlySet<string>): boolean {
  return splitWords(text.slice(0, MOST_JUDGED)).every((word) => {
    const stem = stemWord(word.toLowerCase());
    return STOP.has(stem) || knownWords.has(stem);
  });
}
