/** Swagger 2.0: `collectionFormat` in each place ("Parameter Object"). */
import { parameterRow, proveRows, type Row } from './prove-rows.ts';

const TABLE: [place: string, collectionFormat: string | undefined, want: string][] = [
  ['query', undefined, '?color=blue,black,brown'],
  ['query', 'ssv', '?color=blue%20black%20brown'],
  ['query', 'tsv', '?color=blue%09black%09brown'],
  ['query', 'pipes', '?color=blue%7Cblack%7Cbrown'],
  ['query', 'multi', '?color=blue&color=black&color=brown'],
  ['path', 'ssv', 'pblue%20black%20brown'],
  ['path', 'pipes', 'pblue%7Cblack%7Cbrown'],
  ['header', undefined, '\ncolor: blue,black,brown'],
  ['header', 'ssv', '\ncolor: blue black brown'],
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

proveRows('2.0', [
  emptyField(FORM_TYPE, { ...array, collectionFormat: 'multi' }, [], EMPTY),
  emptyField(FORM_TYPE, { type: 'string' }, '', EMPTY),
  emptyField(FORM_TYPE, { type: 'integer' }, '', EMPTY),
  emptyField(
    'multipart/form-data',
    { ...array, collectionFormat: 'multi' },
    [],
    `; boundary=boundary\n\n${part('')}--boundary--\r\n`,
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
