/** The "Style Examples" of the OpenAPI Specification, and the values they are of. */

/** What `color` is in each column. */
export const COLUMNS = {
  empty: { schema: { type: 'string' }, value: '' },
  string: { schema: { type: 'string' }, value: 'blue' },
  array: { schema: { type: 'array', items: { type: 'string' } }, value: ['blue', 'black', 'brown'] },
  object: {
    schema: {
      type: 'object',
      properties: { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } },
    },
    value: { R: 100, G: 200, B: 150 },
  },
} as const;

export type Column = keyof typeof COLUMNS;

/**
 * OpenAPI 3.0.4, 3.1.1, 3.1.2 and 3.2.0. Those before say the same of all styles but label; their spaceDelimited and
 * pipeDelimited rows lack `color=` and have bare pipes, which later releases corrected.
 */
const STYLES = `
| style          | explode | empty  | string      | array                               | object                                                |
| matrix         | false   | ;color | ;color=blue | ;color=blue,black,brown             | ;color=R,100,G,200,B,150                              |
| matrix         | true    | ;color | ;color=blue | ;color=blue;color=black;color=brown | ;R=100;G=200;B=150                                    |
| label          | true    | .      | .blue       | .blue.black.brown                   | .R=100.G=200.B=150                                    |
| simple         | false   |        | blue        | blue,black,brown                    | R,100,G,200,B,150                                     |
| simple         | true    |        | blue        | blue,black,brown                    | R=100,G=200,B=150                                     |
| form           | false   | color= | color=blue  | color=blue,black,brown              | color=R,100,G,200,B,150                               |
| form           | true    | color= | color=blue  | color=blue&color=black&color=brown  | R=100&G=200&B=150                                     |
| spaceDelimited | false   | n/a    | n/a         | color=blue%20black%20brown          | color=R%20100%20G%20200%20B%20150                     |
| pipeDelimited  | false   | n/a    | n/a         | color=blue%7Cblack%7Cbrown          | color=R%7C100%7CG%7C200%7CB%7C150                     |
| deepObject     | true    | n/a    | n/a         | n/a                                 | color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150    |
`;

/** Since 3.0.4 and 3.1.1. */
const LABEL_BY_COMMA = `
| style          | explode | empty  | string      | array                               | object                                                |
| label          | false   | .      | .blue       | .blue,black,brown                   | .R,100,G,200,B,150                                    |
`;

/** 3.0.0 to 3.0.3, and 3.1.0. */
const LABEL_BY_DOT = `
| style          | explode | empty  | string      | array                               | object                                                |
| label          | false   | .      | .blue       | .blue.black.brown                   | .R.100.G.200.B.150                                    |
`;

/** Since 3.2.0. */
const COOKIE = `
| style          | explode | empty  | string      | array                               | object                                                |
| cookie         | false   | color= | color=blue  | color=blue,black,brown              | color=R,100,G,200,B,150                               |
| cookie         | true    | color= | color=blue  | color=blue; color=black; color=brown | R=100; G=200; B=150                                  |
`;

const TABLES: Record<string, string[]> = {
  '3.0.0': [STYLES, LABEL_BY_DOT],
  '3.0.3': [STYLES, LABEL_BY_DOT],
  '3.0.4': [STYLES, LABEL_BY_COMMA],
  '3.1.0': [STYLES, LABEL_BY_DOT],
  '3.1.1': [STYLES, LABEL_BY_COMMA],
  '3.1.2': [STYLES, LABEL_BY_COMMA],
  '3.2.0': [STYLES, LABEL_BY_COMMA, COOKIE],
};

/** "Style Values": where each style may stand. */
const LOCATIONS: Record<string, string[]> = {
  matrix: ['path'],
  label: ['path'],
  simple: ['path', 'header'],
  form: ['query', 'cookie'],
  spaceDelimited: ['query'],
  pipeDelimited: ['query'],
  deepObject: ['query'],
  cookie: ['cookie'],
};

export const RELEASES = Object.keys(TABLES);

/** One cell of a table, for one place the style may stand in. */
export interface Cell {
  style: string;
  explode: boolean;
  location: string;
  column: Column;
  want: string;
}

/** Every cell that is not n/a. */
export function cellsOf(release: string): Cell[] {
  return (TABLES[release] ?? []).flatMap(rowsOf).flatMap(({ style = '', explode, ...columns }) =>
    (LOCATIONS[style] ?? []).flatMap((location) =>
      Object.entries(columns)
        .filter(([, want]) => want !== 'n/a')
        .map(([column, want]) => ({
          style,
          explode: explode === 'true',
          location,
          column: column as Column,
          want,
        })),
    ),
  );
}

function rowsOf(table: string): Record<string, string>[] {
  const [names = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}
