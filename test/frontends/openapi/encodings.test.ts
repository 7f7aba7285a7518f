/** Encoding Objects: what is read of each field, and where it is told that one does not count. */
import { expect, test } from 'vitest';
import type { MediaType } from '../../../src/model/source-model.ts';
import { firstOperation, read, withOperation } from './reading.ts';

const FORM = 'application/x-www-form-urlencoded';
const DATA = 'multipart/form-data';
const MIXED = 'multipart/mixed';

const header = (schema: unknown): object => ({ schema });

/** `told`: the field, behind the Media Type Object. */
test.each<[mediaType: string, media: object, want: Partial<MediaType>, told: string[]]>([
  [
    FORM,
    { encoding: { a: { contentType: 'text/csv' } } },
    { encoding: { a: { contentType: 'text/csv' } } },
    [],
  ],
  [
    FORM,
    { encoding: { a: { style: 'pipeDelimited', explode: false, allowReserved: false } } },
    { encoding: { a: { style: 'pipeDelimited', explode: false, allowReserved: false } } },
    [],
  ],
  [FORM, { encoding: { a: { style: 'simple' } } }, {}, ['encoding/a/style']],
  [FORM, { encoding: { a: { headers: { 'X-A': header({ const: 'a' }) } } } }, {}, []],
  [FORM, { prefixEncoding: [{}], itemEncoding: {} }, {}, ['prefixEncoding', 'itemEncoding']],
  [
    DATA,
    { encoding: { a: { style: 'form', allowReserved: true } } },
    { encoding: { a: { style: 'form', allowReserved: true } } },
    [],
  ],
  [MIXED, { encoding: { a: { style: 'form', explode: true, allowReserved: true } } }, {}, []],
  ['application/json', { encoding: { a: { contentType: 'text/csv' } } }, {}, ['encoding']],
  ['application/json', { prefixEncoding: [] }, {}, ['prefixEncoding']],
  [
    MIXED,
    { prefixEncoding: [{ contentType: 'text/csv' }, {}], itemEncoding: { contentType: 'image/png' } },
    { prefixEncoding: [{ contentType: 'text/csv' }, {}], itemEncoding: { contentType: 'image/png' } },
    [],
  ],
  [
    MIXED,
    {
      itemEncoding: {
        headers: {
          A: header({ const: true }),
          B: header(false),
          C: header({ enum: ['c'] }),
        },
      },
    },
    { itemEncoding: { headers: { A: 'true', C: 'c' } } },
    [],
  ],
  [
    MIXED,
    { itemEncoding: { headers: { 'Content-Disposition': header({ const: 'form-data; name=a' }) } } },
    { itemEncoding: {} },
    [],
  ],
  [
    DATA,
    { itemEncoding: { headers: { 'Content-Disposition': header({ const: 'form-data; name="a b"; x=y' }) } } },
    { itemEncoding: { name: 'a b' } },
    [],
  ],
  [
    DATA,
    { encoding: { a: { contentType: MIXED, prefixEncoding: [{ contentType: 'text/csv' }] } } },
    { encoding: { a: { contentType: MIXED, prefixEncoding: [{ contentType: 'text/csv' }] } } },
    [],
  ],
  [
    DATA,
    { encoding: { a: { contentType: FORM, encoding: { b: { explode: false } }, itemEncoding: {} } } },
    { encoding: { a: { contentType: FORM, encoding: { b: { explode: false } } } } },
    ['encoding/a/itemEncoding'],
  ],
  [DATA, { encoding: { a: { encoding: {} } } }, {}, ['encoding/a/encoding']],
])('%s: %j', async (mediaType, media, want, fields) => {
  const { model, told } = await read(withOperation({ requestBody: { content: { [mediaType]: media } } }));
  const at = `/paths/~1a/get/requestBody/content/${mediaType.replace('/', '~1')}`;
  expect(told).toEqual(fields.map((field) => `info field-without-effect ${at}/${field}`));
  const { encoding, prefixEncoding, itemEncoding } = (model && firstOperation(model).body?.content[0]) ?? {};
  expect(JSON.parse(JSON.stringify({ encoding, prefixEncoding, itemEncoding }))).toEqual(want);
});

/** One level more than is read. */
test('encodings that stand too deep are told', async () => {
  let media: object = { contentType: 'text/csv' };
  for (let depth = 0; depth <= 8; depth++) media = { contentType: MIXED, itemEncoding: media };
  const { told } = await read(withOperation({ requestBody: { content: { [MIXED]: media } } }));
  const at = `/paths/~1a/get/requestBody/content/multipart~1mixed${'/itemEncoding'.repeat(9)}`;
  expect(told).toEqual([`info field-without-effect ${at}`]);
});
