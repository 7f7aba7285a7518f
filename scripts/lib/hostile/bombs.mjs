/** Documents whose size, depth or references are the attack. */
const info = { title: 'T', version: '1' };
const servers = [{ url: 'https://api.example' }];

function openapi(members) {
  return { openapi: '3.1.0', info, servers, ...members };
}

function withSchema(schema, members = {}) {
  const content = { 'application/json': { schema } };
  const post = {
    operationId: 'send',
    requestBody: { content },
    responses: { 200: { description: 'Done', content } },
  };
  return openapi({ paths: { '/a': { post } }, ...members });
}

function withOperation(operation, members = {}) {
  return openapi({
    paths: { '/a': { get: { operationId: 'send', responses: {}, ...operation } } },
    ...members,
  });
}

function nest(levels, open, inner, close) {
  return open.repeat(levels) + inner + close.repeat(levels);
}

function many(count, make) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
}

const text = { type: 'string' };
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });

/** The text of a document with a member, which is written by hand: what it holds has no other form. */
function withText(member) {
  return JSON.stringify(withOperation({})).replace(/\}$/, `,${member}}`);
}

/** Ten lists of ten lists of ten lists …, in a line of YAML each. */
function aliases(levels, use) {
  const lines = [
    'openapi: 3.1.0',
    'info: {title: T, version: v}',
    'servers: [{url: "https://a.example"}]',
    'x-0: &l0 {type: string}',
  ];
  for (let level = 1; level <= levels; level++) {
    const members = Array.from({ length: 9 }, (_, index) => `p${index}: *l${level - 1}`).join(', ');
    lines.push(`x-${level}: &l${level} {type: object, properties: {${members}}, example: {${members}}}`);
  }
  return [...lines, use(`*l${levels}`)].join('\n');
}

const pathTo = (schema) =>
  `paths: {/a: {get: {operationId: a, responses: {200: {description: d, content: {application/json: {schema: ${schema}}}}}}}}`;

export const bombs = [
  { what: 'aliases of schemas', document: aliases(12, pathTo), told: ['schema-too-large'], served: true },
  {
    what: 'aliases of examples',
    document: aliases(12, (last) =>
      pathTo(`{type: object, example: ${last}, default: ${last}, enum: [${last}]}`),
    ),
    told: [],
    served: true,
  },
  {
    what: 'aliases in an extension',
    document: aliases(12, (last) => `x-mcp: ${last}\n${pathTo('{}')}`),
    told: [],
    served: true,
  },
  {
    what: 'merge keys of merge keys',
    document: [
      'openapi: 3.1.0',
      'info: {title: T, version: v}',
      `x-0: &m0 {${Array.from({ length: 200 }, (_, index) => `k${index}: 1`).join(', ')}}`,
      ...Array.from(
        { length: 8 },
        (_, level) => `x-${level + 1}: &m${level + 1} {<<: [${Array(20).fill(`*m${level}`).join(', ')}]}`,
      ),
      pathTo('{}'),
    ].join('\n'),
    told: [],
    served: true,
  },
  {
    what: 'an anchor in itself',
    document: `x: &x [*x, *x]\nopenapi: 3.1.0\ninfo: {title: T, version: v}\n${pathTo('&s {type: object, properties: {a: *s}, example: *x}')}`,
    told: [],
    served: true,
  },
  {
    what: 'code in a tag of YAML',
    document: `openapi: 3.1.0\ninfo: {title: !!js/function "function () {}", version: v}\n${pathTo('{}')}`,
    told: ['invalid-yaml'],
    served: false,
  },
  {
    what: 'lists of YAML inside one another',
    document: `openapi: 3.1.0\nx: ${nest(100_000, '[', '', ']')}`,
    told: ['source-too-deep'],
    served: false,
  },
  {
    what: 'mappings of YAML inside one another',
    document: `openapi: 3.1.0\n${Array.from({ length: 5_000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')}`,
    told: ['source-too-deep'],
    served: false,
  },
  {
    what: 'lists of JSON inside one another',
    document: withText(`"x-a":${nest(100_000, '[', '', ']')}`),
    told: ['source-too-deep'],
    served: false,
  },
  {
    what: 'objects of JSON inside one another',
    document: withText(`"x-mcp":${nest(100_000, '{"a":', '1', '}')}`),
    told: ['source-too-deep'],
    served: false,
  },
  {
    what: 'tags inside one another',
    document: withText(`"tags":${nest(50_000, '[', '', ']')}`),
    told: ['source-too-deep'],
    served: false,
  },
  ...['example', 'default', 'const', 'x-a'].map((keyword) => ({
    what: `a deep ${keyword}`,
    document: JSON.stringify(withSchema({ [keyword]: '@' })).replaceAll('"@"', nest(900, '[', '', ']')),
    told: [],
    served: true,
  })),
  {
    what: 'a deep enum',
    document: JSON.stringify(withSchema({ enum: ['@'] })).replaceAll('"@"', nest(900, '[', '', ']')),
    told: [],
    served: true,
  },
  {
    what: 'a deep example of an answer',
    document: JSON.stringify(
      withOperation({
        responses: { 200: { description: 'd', content: { 'application/json': { example: '@' } } } },
      }),
    ).replaceAll('"@"', nest(900, '[', '', ']')),
    told: [],
    served: true,
  },
  ...['items', 'not', 'additionalProperties', 'contains', 'propertyNames', 'if'].map((keyword) => ({
    what: `schemas in ${keyword} inside one another`,
    document: JSON.stringify(withSchema('@')).replaceAll('"@"', nest(900, `{"${keyword}":`, 'true', '}')),
    told: ['schema-too-deep'],
    served: true,
  })),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => ({
    what: `schemas in ${keyword} inside one another`,
    document: JSON.stringify(withSchema('@')).replaceAll('"@"', nest(450, `{"${keyword}":[`, 'true', ']}')),
    told: ['schema-too-deep'],
    served: true,
  })),
  {
    what: 'many properties',
    document: withSchema({ type: 'object', properties: many(20_000, (index) => [`p${index}`, text]) }),
    told: [],
    served: true,
  },
  {
    what: 'many members of an enum',
    document: withSchema({ type: 'string', enum: Array.from({ length: 50_000 }, (_, index) => `v${index}`) }),
    told: [],
    served: true,
  },
  {
    what: 'many operations',
    document: openapi({
      paths: many(3_000, (index) => [`/p${index}`, { get: { operationId: 'same', responses: {} } }]),
    }),
    told: [],
    served: true,
  },
  {
    what: 'many parameters',
    document: withOperation({
      parameters: Array.from({ length: 5_000 }, (_, index) => ({
        name: `p${index}`,
        in: 'query',
        schema: text,
      })),
    }),
    told: [],
    served: true,
  },
  {
    what: 'many parameters of one name',
    document: withOperation({
      parameters: Array.from({ length: 2_000 }, (_, index) => ({
        name: `a${'-'.repeat(index % 50)}b`,
        in: index % 2 === 0 ? 'query' : 'header',
        schema: text,
      })),
    }),
    told: [],
    served: true,
  },
  {
    what: 'many servers',
    document: withOperation(
      {},
      { servers: Array.from({ length: 5_000 }, (_, index) => ({ url: `https://s${index}.example` })) },
    ),
    told: [],
    served: true,
  },
  {
    what: 'many alternatives of security',
    document: withOperation(
      { security: Array.from({ length: 2_000 }, () => ({ a: [], b: [] })) },
      {
        components: {
          securitySchemes: {
            a: { type: 'http', scheme: 'basic' },
            b: { type: 'apiKey', in: 'query', name: 'k' },
          },
        },
      },
    ),
    told: [],
    served: true,
  },
  {
    what: 'schemes that give one variable',
    document: withOperation(
      { security: ['a-b', 'a.b', 'a_b', 'A b'].map((name) => ({ [name]: [] })) },
      {
        components: {
          securitySchemes: many(4, (index) => [
            ['a-b', 'a.b', 'a_b', 'A b'][index] ?? '',
            { type: 'apiKey', in: 'header', name: `X-${index}` },
          ]),
        },
      },
    ),
    told: ['environment-name-clash'],
    served: true,
  },
  {
    what: 'references in a circle',
    document: withSchema(ref('A'), { components: { schemas: { A: ref('B'), B: ref('C'), C: ref('A') } } }),
    told: ['circular-ref'],
    served: true,
  },
  {
    what: 'a schema of nothing but itself',
    document: withSchema(ref('A'), { components: { schemas: { A: { allOf: [ref('A'), ref('A')] } } } }),
    told: ['endless-schema'],
    served: true,
  },
  {
    what: 'alternatives that double',
    document: withSchema(ref('S40'), {
      components: {
        schemas: {
          S0: text,
          ...many(40, (index) => [
            `S${index + 1}`,
            { anyOf: [ref(`S${index}`), { allOf: [ref(`S${index}`)] }] },
          ]),
        },
      },
    }),
    told: [],
    served: true,
  },
  {
    what: 'objects that double',
    document: withSchema(ref('S40'), {
      components: {
        schemas: {
          S0: text,
          ...many(40, (index) => [
            `S${index + 1}`,
            {
              type: 'object',
              required: ['a', 'b'],
              properties: { a: ref(`S${index}`), b: ref(`S${index}`) },
            },
          ]),
        },
      },
    }),
    told: [],
    served: true,
  },
  {
    what: 'parts of an object that double',
    document: withSchema(ref('S25'), {
      components: {
        schemas: {
          S0: { type: 'object', properties: { a: text } },
          ...many(25, (index) => [`S${index + 1}`, { allOf: [ref(`S${index}`), ref(`S${index}`)] }]),
        },
      },
    }),
    told: [],
    served: true,
  },
  {
    what: 'paths in a circle',
    document: openapi({
      paths: {
        '/a': { $ref: '#/paths/~1b' },
        '/b': { $ref: '#/paths/~1a' },
        '/c': { get: { operationId: 'c', responses: {} } },
      },
    }),
    told: ['circular-ref'],
    served: true,
  },
  ...[
    'file:///etc/passwd',
    '/etc/passwd',
    '../../../../../../etc/passwd',
    '%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    'file://evil.example/x',
  ].map((target) => ({
    what: `a reference to ${target}`,
    document: withSchema({ $ref: target }),
    told: [],
    served: true,
  })),
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'http://[::ffff:7f00:1]/x',
    '//evil.example/x',
    'http://user:secret@evil.example/',
  ].map((target) => ({
    what: `a reference to ${target}`,
    document: withSchema({ $ref: target }),
    told: target.startsWith('//') ? [] : ['remote-ref-refused'],
    served: true,
  })),
  ...['javascript:alert(1)', 'data:application/json,{}', 'node:fs'].map((target) => ({
    what: `a reference to ${target}`,
    document: withSchema({ $ref: target }),
    told: ['invalid-ref'],
    served: true,
  })),
  {
    what: 'a place that can be no text',
    document: withOperation({
      parameters: [
        { name: 'p', in: { toString: '' } },
        { name: 'q', in: 'query', style: { toString: 1 } },
        { $ref: { toString: null } },
      ],
    }),
    told: ['unknown-parameter-location'],
    served: true,
  },
  {
    what: 'a reference that is no text',
    document: withSchema({ $ref: { $ref: ['#'] } }),
    told: ['invalid-ref'],
    served: true,
  },
  {
    what: 'references into prototypes',
    document: withSchema(
      {
        allOf: ['#/__proto__', '#/constructor/prototype', '#/components/schemas/toString'].map(($ref) => ({
          $ref,
        })),
      },
      { components: { schemas: {} } },
    ),
    told: ['dangling-ref'],
    served: true,
  },
  {
    what: 'members of prototypes',
    document: JSON.stringify(withSchema({ type: 'object', properties: { a: text } })).replaceAll(
      '"a":{',
      '"__proto__":{"type":"string","polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{',
    ),
    told: [],
    served: true,
  },
  {
    what: 'numbers beyond all bounds',
    document: JSON.stringify(
      withSchema({
        type: 'array',
        minItems: 1e15,
        maxItems: -1,
        items: { type: 'number', multipleOf: 0, minimum: 7 },
      }),
    ).replace('"minimum":7', '"minimum":1e999'),
    told: ['invalid-keyword'],
    served: true,
  },
  {
    what: 'a text of a length that nobody has',
    document: withOperation({
      parameters: [
        { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 2 ** 40 } },
      ],
    }),
    told: [],
    served: true,
  },
  {
    what: 'a path of braces',
    document: openapi({
      paths: {
        [`/${'{'.repeat(20_000)}`]: { get: { responses: {} } },
        '/a': { get: { operationId: 'a', responses: {} } },
      },
    }),
    told: [],
    served: true,
  },
  {
    what: 'a path of many variables',
    document: openapi({
      paths: {
        [`/${Array.from({ length: 500 }, (_, index) => `{v${index}}`).join('')}`]: {
          get: { operationId: 'a', responses: {} },
        },
      },
    }),
    told: [],
    served: true,
  },
  {
    what: 'patterns that run away',
    document: withSchema({ type: 'string', pattern: '^(a+)+$', example: `${'a'.repeat(60)}!` }),
    told: ['guarded-pattern'],
    served: true,
  },
  {
    what: 'names of properties that run away',
    document: withSchema({
      type: 'object',
      patternProperties: { '^(a|a)*$': text },
      example: { [`${'a'.repeat(60)}!`]: 1 },
    }),
    told: ['guarded-pattern'],
    served: true,
  },
  {
    what: 'a pattern of a thousand kinds',
    document: withSchema({ type: 'string', pattern: '(?:(?:a{1,100}){1,100}){1,100}b'.repeat(2) }),
    told: ['unsafe-pattern'],
    served: true,
  },
];
