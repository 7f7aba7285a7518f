// The variables of what `@list` lists are those of its template: a slip is told when compiling, not when clients list.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const begin = 'a.ts:4:5 error unfit-helper: list cannot have @list: ';

test.each<{ item: string; problem?: string }>([
  { item: '{ variables: { id: string } }' },
  { item: '{ variables: { id: 1 | 2; tags?: readonly string[]; day: boolean | undefined } }' },
  { item: '{ variables: { id: bigint; tags: [number, string] } }' },
  { item: '{ variables: Record<string, string> }' },
  { item: '{ variables?: { id: string }; uri: string }' },
  { item: 'string | { variables: { id: string } }' },
  {
    item: '{ variables: { ID: string } }',
    problem: 'it returns the variable ID, which x://{id}{?tags*,day} does not have.',
  },
  {
    item: '{ variables: { tags: string[] } }',
    problem: 'its variables lack id, which x://{id}{?tags*,day} needs.',
  },
  {
    item: '{ uri: string } | { variables: { id: Date } }',
    problem: 'its variable id is no text, number, boolean, or list of texts or numbers.',
  },
  {
    item: '{ variables: { id: string; tags: string[][] } }',
    problem: 'its variable tags is no text, number, boolean, or list of texts or numbers.',
  },
  {
    item: '{ variables: { id: string | null } }',
    problem: 'its variable id is no text, number, boolean, or list of texts or numbers.',
  },
])('$item: $problem', async ({ item, problem }) => {
  const file = `/** @resource x://{id}{?tags*,day} */
export function read(id: string, tags: string[] = [], day = false): string { return id + String(tags) + String(day); }

/** @list read */
export function list(): (${item})[] { return []; }
`;
  const { messages } = await compileFiles({ 'a.ts': file });
  expect(messages).toEqual(problem === undefined ? [] : [`${begin}${problem}`]);
});
