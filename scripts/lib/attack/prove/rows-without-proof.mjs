/** Rows that no check names, and rows that checks name in vain. */

/** @import { Family } from '../families.mjs' */
/** @import { Check } from './checks.mjs' */

const SAME = 'the same rows and checks as in other families, called by another host';
const OPEN = 'no check has been taken out for them so far';

/**
 * How many rows of a family no check names, and why. A new row needs a check; a check that names more of them lowers the figure.
 * @type {Record<string, [count: number, why: string]>}
 */
const WITHOUT_PROOF = {
  'tokens that are asked about': [12, OPEN],
  callers: [23, OPEN],
  configurations: [37, OPEN],
  connections: [8, OPEN],
  'credential origins': [17, OPEN],
  documents: [168, OPEN],
  exchanges: [16, OPEN],
  'requests through fetch': [73, SAME],
  'tokens through fetch': [157, SAME],
  'hidden text': [92, OPEN],
  injection: [13, OPEN],
  'interim answers': [2, OPEN],
  'keys of issuers': [18, OPEN],
  limits: [17, OPEN],
  'long texts': [5, OPEN],
  'made-up tokens': [5, OPEN],
  memory: [3, OPEN],
  'hosts by name': [14, OPEN],
  nodes: [9, OPEN],
  observers: [9, OPEN],
  'credentials of callers': [9, OPEN],
  'tokens of own code': [16, OPEN],
  paths: [51, OPEN],
  pollution: [63, OPEN],
  'proofs of keys': [37, OPEN],
  publishing: [9, OPEN],
  'queries of overlays': [23, OPEN],
  'questions about tokens': [1, OPEN],
  'reading and confirming': [20, OPEN],
  redirects: [5, OPEN],
  'regular expressions': [14, OPEN],
  repositories: [10, OPEN],
  scopes: [2, OPEN],
  'tools that call others': [34, OPEN],
  'secrets in answers': [33, OPEN],
  'sender-constrained tokens': [56, OPEN],
  'sessions over nodes': [5, OPEN],
  sessions: [44, OPEN],
  'signed sessions': [8, OPEN],
  slowloris: [7, OPEN],
  smuggling: [37, OPEN],
  'other servers': [60, OPEN],
  'request state': [13, OPEN],
  'states of callers': [4, OPEN],
  'messages of strangers': [28, OPEN],
  'requests of strangers': [48, OPEN],
  'places of tokens': [41, OPEN],
  tokens: [102, OPEN],
  'working folders': [25, OPEN],
};

/**
 * @param {Family[]} families
 * @param {Check[]} checks
 * @returns {string[]} what is wrong, for people
 */
export function findRowsWithoutProof(families, checks, expected = WITHOUT_PROOF) {
  return families.flatMap(({ family, rows }) => {
    const named = checks.filter((check) => check.families.includes(family));
    const names = rows
      .map(({ name }) => name)
      .filter((name) => !named.some((check) => check.rows.test(name)));
    const [count = 0] = expected[family] ?? [];
    if (names.length === count) return [];
    return [
      `${family}: no check in prove/checks names ${names.length} rows, and rows-without-proof.mjs says ${count}. ` +
        `Name a new row in a check that it is admitted without. The last: ${names.at(-1) ?? 'none'}`,
    ];
  });
}

/**
 * @param {Family[]} families
 * @param {Check[]} checks all of them
 * @param {Set<string>} shown `family: name` of rows that were admitted without a check
 * @returns {string[]} `family: name` of rows that checks name, and that were never admitted
 */
export function findRowsNamedInVain(families, checks, shown) {
  return families.flatMap(({ family, rows, lacks }) =>
    rows
      .filter(
        ({ name }) =>
          lacks === undefined &&
          checks.some((check) => check.families.includes(family) && check.rows.test(name)),
      )
      .map(({ name }) => `${family}: ${name}`)
      .filter((row) => !shown.has(row)),
  );
}
