/** How long texts may be that are searched, matched or compared, and how many of them there may be. */
import { replacement } from '../checks.mjs';

const families = ['long texts'];

export const checks = [
  {
    ...replacement(
      'length of queries, names and paths',
      ['const LONGEST_SEARCHED = 1e3;', 'const LONGEST_SEARCHED = 1e9;'],
      families,
      /^(?:a query, |a path, |a text to complete|an id)/,
    ),
    each: true,
  },
  replacement(
    'length of URIs',
    ['const longestUri = 8192;', 'const longestUri = 1e9;'],
    families,
    /^a URI, /,
  ),
  {
    ...replacement(
      'number of names in a list',
      ['const MOST_SEARCHED = 100;', 'const MOST_SEARCHED = 1e9;'],
      families,
      /^names of members/,
    ),
    files: ['dist/templates/runtime/contract/feature.js'],
    each: true,
  },
  {
    check: 'candidates of a path count once',
    edits: [
      ['let at = /* @__PURE__ */ new Set([root]);', 'let at = [root];'],
      ['const next = new Set(parts.flatMap', 'const next = (parts.flatMap'],
      ['if (next.size === 0)', 'if (next.length === 0)'],
      ['const found = new Set(schemas);', 'const found = [...schemas]; found.add = found.push;'],
    ],
    families,
    rows: /^a path through a schema/,
    // The server is kept busy.
    admits: /no answer|answers no more/,
  },
];
