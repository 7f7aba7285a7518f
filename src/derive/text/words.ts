import { isAscii } from '../../model/letters.ts';

interface Boundaries {
  /** `userRepos` */
  hump: RegExp;
  /** `APIKey` */
  acronym: RegExp;
  separator: RegExp;
}

// Unicode properties are slow, and most identifiers are ASCII.
const inAscii: Boundaries = {
  hump: /([a-z0-9])([A-Z])/g,
  acronym: /([A-Z])([A-Z][a-z])/g,
  separator: /[^A-Za-z0-9]+/,
};
const inUnicode: Boundaries = {
  hump: /(\p{Ll}|\p{N})(\p{Lu})/gu,
  acronym: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  separator: /[^\p{L}\p{N}]+/u,
};

/** Splits an identifier, case kept: `listUserRepos`, `list-user_repos` and `list/user repos` alike. */
export function wordsOf(identifier: string): string[] {
  const { hump, acronym, separator } = isAscii(identifier) ? inAscii : inUnicode;
  return identifier
    .replace(hump, '$1 $2')
    .replace(acronym, '$1 $2')
    .split(separator)
    .filter((word) => word !== '');
}

/** `listUserRepos` → `List user repos`; words in capitals (`API`) stay. */
export function sentenceOf(identifier: string): string {
  const words = wordsOf(identifier).map((word) => (isAcronym(word) ? word : word.toLowerCase()));
  const [first, ...rest] = words;
  return first === undefined ? '' : [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase();
}
