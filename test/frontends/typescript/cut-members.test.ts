// In JavaScript, what TypeScript leaves out of a type since a tag that it does not know stands in between.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

interface Row {
  name: string;
  /** Lines of the block before the tool. */
  lines: string[];
  want: string[];
  /** A part of the first message. */
  words?: string;
}

const rows: Row[] = [
  {
    name: 'a tag of others behind a property',
    lines: [
      '@typedef {object} Point',
      '@property {number} lat North.',
      '@internal',
      '@property {number} lon',
      '@prop {string} [label]',
    ],
    want: ['a.js:5:4 error member-cut-off'],
    words: 'TypeScript ignores the member `lon`, since @internal before it ends the list.',
  },
  {
    name: 'a tag before all properties',
    lines: ['@typedef {object} Point', '@internal', '@property {number} lon'],
    want: ['a.js:4:4 error member-cut-off'],
    words: 'TypeScript ignores the member `lon`, since @internal',
  },
  {
    name: 'constraints of a member',
    lines: [
      '@typedef {object} Point',
      '@property {number} lat North. @minimum -90',
      '@property {number} lon',
    ],
    want: ['a.js:4:4 error member-cut-off'],
  },
  {
    name: 'a tag behind the last property',
    lines: ['@typedef {object} Point', '@property {number} lon', '@property {number} lat @minimum -90'],
    want: [],
  },
  {
    name: 'a tag behind a nested parameter',
    lines: ['@param {object} o', '@param {string[]} o.a', '@see there', '@param {string} o.b'],
    want: ['a.js:5:4 error member-cut-off'],
    words: 'TypeScript ignores the member `o.b`, since @see before it ends the list.',
  },
  {
    name: 'a block before another one',
    lines: [
      '@typedef {object} Point',
      '@title A point',
      '@property {number} lon',
      '@internal */ /** Of what follows.',
    ],
    want: ['a.js:4:4 error member-cut-off'],
  },
  { name: 'parameters apart', lines: ['@param {string} a @minLength 1', '@param {string} b'], want: [] },
  { name: 'a property of what is no type', lines: ['@property {string} a'], want: [] },
];

test('each is an error where it stands', async () => {
  const files = rows.map(({ lines }) => ({
    'a.js': ['/**', ...lines.map((line) => ` * ${line}`), ' */', 'export const none = 1;'].join('\n'),
    'b.js': "import './a.js';\n/** @tool */\nexport const f = () => '';\n",
  }));
  const found = await Promise.all(files.map((each) => compileFiles(each, ['b.js'])));
  expect(found.map(({ problems }) => problems)).toEqual(rows.map(({ want }) => want));
  for (const [at, { words }] of rows.entries())
    if (words !== undefined) expect(found[at]?.messages[0]).toContain(words);
});
