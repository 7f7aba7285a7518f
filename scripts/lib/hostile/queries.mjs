/** Overlays whose queries take forever. */
const many = (count, make) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, make(at)]));

/** A document for them: a few thousand values, on several levels, with a text that patterns nearly match. */
export const document = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { operationId: 'a', responses: {} } } },
  'x-text': `${'a'.repeat(60)}!`,
  'x-tree': many(12, () => many(12, () => many(12, (at) => ({ a: at, b: [at, [at, { a: at }]] })))),
  'x-same': [many(2_000, (at) => ({ at })), many(2_000, (at) => ({ at }))],
};

const patterns = [
  ['(a+)+', 'b'],
  ['(a|a)*', 'b'],
  ['(a|aa)+', 'b'],
  ['(a*)*', 'b'],
  ['(a+){20}', 'b'],
  ['((a+)+)+', 'b'],
  ['([a-z]+)*', '#'],
  ['(\\p{L}+)*', '#'],
];

/** @type {{what: string, target: string, told: string}[]} `told`: the diagnostic, by its code */
export const queries = [
  ...patterns.flatMap(([pattern, end]) => [
    // The queries end, and select nothing.
    {
      what: `search for ${pattern}${end}`,
      target: `$[?search(@,'${quoted(`${pattern}${end}`)}')]`,
      told: 'MCPG126',
    },
    { what: `match of ${pattern}`, target: `$[?match(@,'${quoted(pattern)}')]`, told: 'MCPG126' },
  ]),
  {
    what: 'a pattern that is written out',
    target: "$[?search(@,'((a{1,100}){1,100}){1,100}b')]",
    told: 'MCPG130',
  },
  { what: 'filters in filters', target: '$..[?@..[?@..a]]', told: 'MCPG130' },
  { what: 'filters in filters in filters', target: '$..[?@..[?@..[?@..a]]]', told: 'MCPG130' },
  { what: 'everything below everything', target: '$..*..*..*..*..*', told: 'MCPG130' },
  { what: 'everything, many times', target: `$..[${Array(200).fill('*').join()}]..[*,*]`, told: 'MCPG130' },
  { what: 'counts of everything', target: '$..[?count($..*..*) > count(@..*..*)]', told: 'MCPG130' },
  {
    what: 'large values, compared everywhere',
    target: "$..[?$['x-same'][0] == $['x-same'][1]]",
    told: 'MCPG130',
  },
  {
    what: 'large values, compared by order',
    target: "$..[?$['x-same'][0] <= $['x-same'][1] && $..a]",
    told: 'MCPG130',
  },
  { what: 'the root in each value', target: '$..[?$..[?@.a == 1]]', told: 'MCPG130' },
];

function quoted(pattern) {
  return pattern.replaceAll('\\', '\\\\');
}

/** @param {string} target */
export function overlayWith(target) {
  return {
    overlay: '1.0.0',
    info: { title: 't', version: '1' },
    actions: [{ target, update: { 'x-a': 1 } }],
  };
}
