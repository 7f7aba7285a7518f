// Bombs that only YAML can express: aliases, tags and merge keys.
import { type Bomb, nest } from './parts.ts';

/** Ten lists of ten lists of ten lists …, in a line of YAML each. */
function aliases(levels: number, use: (last: string) => string): string {
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

const pathTo = (schema: string): string =>
  `paths: {/a: {get: {operationId: a, responses: {200: {description: d, content: {application/json: {schema: ${schema}}}}}}}}`;

export const bombs: Bomb[] = [
  { what: 'aliases of schemas', document: aliases(12, pathTo), told: ['schema-too-large'] },
  {
    what: 'aliases of examples',
    document: aliases(12, (last) =>
      pathTo(`{type: object, example: ${last}, default: ${last}, enum: [${last}]}`),
    ),
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
  },
  {
    what: 'an anchor in itself',
    document: `x: &x [*x, *x]\nopenapi: 3.1.0\ninfo: {title: T, version: v}\n${pathTo('&s {type: object, properties: {a: *s}, example: *x}')}`,
  },
  {
    what: 'code in a tag of YAML',
    document: `openapi: 3.1.0\ninfo: {title: !!js/function "function () {}", version: v}\n${pathTo('{}')}`,
    told: ['invalid-syntax'],
    served: false,
  },
  {
    what: 'lists of YAML inside one another',
    document: `openapi: 3.1.0\nx: ${nest(100_000, '[', '', ']')}`,
    told: ['source-unreadable'],
    served: false,
  },
  {
    what: 'mappings of YAML inside one another',
    document: `openapi: 3.1.0\n${Array.from({ length: 5_000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')}`,
    told: ['source-unreadable'],
    served: false,
  },
];
