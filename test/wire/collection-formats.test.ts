/** Swagger 2.0: `collectionFormat` in each place ("Parameter Object"). */
import { parameterRow, proveRows, type Row } from './prove-rows.ts';

const TABLE: [place: string, collectionFormat: string | undefined, want: string][] = [
  ['query', undefined, '?color=blue,black,brown'],
  ['query', 'csv', '?color=blue,black,brown'],
  ['query', 'ssv', '?color=blue%20black%20brown'],
  ['query', 'tsv', '?color=blue%09black%09brown'],
  ['query', 'pipes', '?color=blue%7Cblack%7Cbrown'],
  ['query', 'multi', '?color=blue&color=black&color=brown'],
  ['path', undefined, 'pblue,black,brown'],
  ['path', 'csv', 'pblue,black,brown'],
  ['path', 'ssv', 'pblue%20black%20brown'],
  ['path', 'tsv', 'pblue%09black%09brown'],
  ['path', 'pipes', 'pblue%7Cblack%7Cbrown'],
  ['header', undefined, '\ncolor: blue,black,brown'],
  ['header', 'csv', '\ncolor: blue,black,brown'],
  ['header', 'ssv', '\ncolor: blue black brown'],
  ['header', 'tsv', '\ncolor: blue\tblack\tbrown'],
  ['header', 'pipes', '\ncolor: blue|black|brown'],
];

const array = { type: 'array', items: { type: 'string' } };

function rowOf([place, collectionFormat, want]: (typeof TABLE)[number]): Row {
  return parameterRow(
    `${String(collectionFormat)} in ${place}`,
    { in: place, ...array, ...(collectionFormat === undefined ? {} : { collectionFormat }) },
    ['blue', 'black', 'brown'],
    `GET /${want}`,
  );
}

const TYPE = 'Content-Type: application/x-www-form-urlencoded';

const FORM: [collectionFormat: string, want: string][] = [
  ['csv', 'color=blue,black,brown'],
  ['ssv', 'color=blue%20black%20brown'],
  ['tsv', 'color=blue%09black%09brown'],
  ['pipes', 'color=blue%7Cblack%7Cbrown'],
  ['multi', 'color=blue&color=black&color=brown'],
];

/** Three levels: `collectionFormat` of the list, of its items, of theirs (Items Object). */
type Formats = [outer: string | undefined, middle: string | undefined, inner: string | undefined];

const formatted = (collectionFormat: string | undefined, items: object): object => ({
  type: 'array',
  items,
  ...(collectionFormat === undefined ? {} : { collectionFormat }),
});

const nested = ([outer, middle, inner]: Formats): object =>
  formatted(outer, formatted(middle, formatted(inner, { type: 'string' })));

const CUBE = [[['a', 'b,'], ['c']], [], [['d', '|e']]];

const NESTED: [place: string, formats: Formats, want: string][] = [
  ['query', ['pipes', 'ssv', 'csv'], '?color=a,b%2C%20c%7C%7Cd,%7Ce'],
  ['query', ['csv', 'pipes', 'tsv'], '?color=a%09b%2C%7Cc,,d%09%7Ce'],
  ['query', ['multi', 'pipes', 'ssv'], '?color=a%20b%2C%7Cc&color=&color=d%20%7Ce'],
  ['query', ['tsv', undefined, 'pipes'], '?color=a%7Cb%2C,c%09%09d%7C%7Ce'],
  ['query', [undefined, undefined, undefined], '?color=a,b%2C,c,,d,%7Ce'],
  ['path', ['pipes', 'csv', 'ssv'], 'pa%20b%2C,c%7C%7Cd%20%7Ce'],
  ['path', ['csv', 'ssv', 'pipes'], 'pa%7Cb%2C%20c,,d%7C%7Ce'],
  ['header', ['csv', 'pipes', 'ssv'], '\ncolor: a b,|c,,d |e'],
  ['header', ['pipes', 'tsv', 'csv'], '\ncolor: a,b,\tc||d,|e'],
];

const part = (text: string): string =>
  `--boundary\r\nContent-Disposition: form-data; name="color"\r\n\r\n${text}\r\n`;

const emptyField = (mediaType: string, parameter: object, value: unknown, want: string): Row => ({
  says: `allowEmptyValue in ${mediaType}`,
  method: 'post',
  operation: {
    consumes: [mediaType],
    parameters: [{ name: 'color', in: 'formData', allowEmptyValue: true, ...parameter }],
  },
  value,
  want: `POST /\nContent-Type: ${mediaType}${want}`,
});

const EMPTY = '\n\ncolor=';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const nestedField = (mediaType: string, want: string): Row => ({
  says: `nested in ${mediaType}`,
  method: 'post',
  operation: {
    consumes: [mediaType],
    parameters: [{ name: 'color', in: 'formData', ...nested(['multi', 'pipes', 'csv']) }],
  },
  value: CUBE,
  want: `POST /\nContent-Type: ${mediaType}${want}`,
});

proveRows('2.0', [
  ...NESTED.map(([place, formats, want]) =>
    parameterRow(
      `${formats.join(' of ')} in ${place}`,
      { in: place, ...nested(formats) },
      CUBE,
      `GET /${want}`,
    ),
  ),
  emptyField(FORM_TYPE, array, [], EMPTY),
  emptyField(FORM_TYPE, { ...array, collectionFormat: 'multi' }, [], EMPTY),
  emptyField(FORM_TYPE, { type: 'string' }, '', EMPTY),
  emptyField(FORM_TYPE, { type: 'integer' }, '', EMPTY),
  emptyField(FORM_TYPE, { type: 'integer' }, 1, '\n\ncolor=1'),
  emptyField(
    'multipart/form-data',
    { ...array, collectionFormat: 'multi' },
    [],
    `; boundary=boundary\n\n${part('')}--boundary--\r\n`,
  ),
  nestedField('application/x-www-form-urlencoded', '\n\ncolor=a,b%2C%7Cc&color=&color=d,%7Ce'),
  nestedField(
    'multipart/form-data',
    `; boundary=boundary\n\n${part('a,b,|c')}${part('')}${part('d,|e')}--boundary--\r\n`,
  ),
  ...TABLE.map(rowOf),
  ...FORM.map(([collectionFormat, want]) => ({
    says: `${collectionFormat} in a form`,
    method: 'post',
    operation: {
      consumes: ['application/x-www-form-urlencoded'],
      parameters: [{ name: 'color', in: 'formData', ...array, collectionFormat }],
    },
    value: ['blue', 'black', 'brown'],
    want: `POST /\n${TYPE}\n\n${want}`,
  })),
]);
