/** The words of an identifier, case kept: `listUserRepos`, `list-user_repos` and `list/user repos` alike. */
export function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
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
