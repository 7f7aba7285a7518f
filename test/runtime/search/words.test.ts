// How texts are split into words: letters of every script, names in one word, and spellings of one word.
import { expect, test } from 'vitest';
import { splitWords } from '../../../templates/runtime/contract/search-words.ts';

test.each([
  ['list the pets of an owner', ['list', 'the', 'pets', 'of', 'an', 'owner']],
  ['listPetsByTag, PETStore2', ['list', 'pets', 'by', 'tag', 'pet', 'store2']],
  ['users/{id}/repos_v2', ['users', 'id', 'repos', 'v2']],
  ["the user's to-dos, the users’ todo", ['the', 'user', 'tasks', 'the', 'users', 'task']],
  ['e-mail and E-mails', ['and', 'email', 'emails']],
  ['Größe ändern', ['größe', 'ändern']],
  ['the user＇s ＩＤ', ['the', 'user', 'id']],
  ['東京都 weather', ['東京', '京都', 'weather']],
])('%s', (text, words) => {
  expect(splitWords(text).toSorted()).toEqual(words.toSorted());
});
