/** Overlays whose patterns take forever. */
/** A document for them, with a text that patterns nearly match. */
export const document = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { operationId: 'a', responses: {} } } },
  'x-text': `${'a'.repeat(60)}!`,
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
    told: 'MCPG125',
  },
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
