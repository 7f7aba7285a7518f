/** What nodes share in Redis. */
import { replacement } from '../checks.mjs';

const nodes = ['nodes'];

export const checks = [
  replacement(
    'a state counts once over nodes',
    ['\t\t\t"NX",\n', ''],
    nodes,
    /a state that counts once, on one node and then/,
  ),
  replacement(
    'a task of its subject over nodes',
    ['snapshot?.subject === subject && snapshot !== void 0', 'snapshot !== void 0'],
    nodes,
    /tasks\/get of another subject's task/,
  ),
  {
    ...replacement(
      'a list of tasks of its subject over nodes',
      ['`tasks of subject ${caller.subject}`', '"tasks of subject"'],
      nodes,
      /the list of tasks/,
    ),
    edits: [
      ['`tasks of subject ${caller.subject}`', '"tasks of subject"'],
      ['snapshot?.subject === subject && snapshot !== void 0', 'snapshot !== void 0'],
    ],
    admits: /, with it$/,
  },
  replacement(
    'a status in Redis that there is not',
    ['typeof node !== "string" || known === void 0 || ', ''],
    nodes,
    /a task in Redis that is a status/,
  ),
];
