/** Encoding Objects: what is read of each field, and where it is told that one does not count. */
import { expect, test } from 'vitest';
import type { MediaType } from '../../../src/model/source-model.ts';
import { firstOperation, read, withOperation } from './reading.ts';

const FORM = 'application/x-www-form-urlencoded';
const DATA = 'multipart/form-data';
const MIXED = 'multipart/mixed';

/** `told`: the field, behind the Media Type Object. */
test.each<[mediaType: string, media: object, want: MediaType['encoding'], told: string[]]>([
  [FORM, { encoding: { a: { contentType: 'text/csv' } } }, { a: { contentType: 'text/csv' } }, []],
  [
    FORM,
    { encoding: { a: { style: 'pipeDelimited', explode: false, allowReserved: false } } },
    { a: { style: 'pipeDelimited', explode: false, allowReserved: false } },
    [],
  ],
  [FORM, { encoding: { a: { style: 'simple' } } }, undefined, ['encoding/a/style']],
  [FORM, { encoding: { a: { headers: { 'X-A': { schema: { const: 'a' } } } } } }, undefined, []],
  [FORM, { prefixEncoding: [{}], itemEncoding: {} }, undefined, ['prefixEncoding', 'itemEncoding']],
  [
    DATA,
    { encoding: { a: { style: 'form', allowReserved: true } } },
    { a: { style: 'form', allowReserved: true } },
    [],
  ],
  [DATA, { encoding: { a: { headers: {} } } }, undefined, ['encoding/a/headers']],
  [MIXED, { encoding: { a: { style: 'form', explode: true, allowReserved: true } } }, undefined, []],
  ['application/json', { encoding: { a: { contentType: 'text/csv' } } }, undefined, ['encoding']],
  ['application/json', { prefixEncoding: [] }, undefined, ['prefixEncoding']],
  [MIXED, { prefixEncoding: [{ contentType: 'text/csv' }] }, undefined, ['prefixEncoding']],
  [
    DATA,
    { encoding: { a: { contentType: MIXED, encoding: {}, itemEncoding: {} } } },
    { a: { contentType: MIXED } },
    ['encoding/a/encoding', 'encoding/a/itemEncoding'],
  ],
])('%s: %j', async (mediaType, media, want, fields) => {
  const { model, told } = await read(withOperation({ requestBody: { content: { [mediaType]: media } } }));
  const at = `/paths/~1a/get/requestBody/content/${mediaType.replace('/', '~1')}`;
  expect(told).toEqual(fields.map((field) => `info field-without-effect ${at}/${field}`));
  const { encoding } = (model && firstOperation(model).body?.content[0]) ?? {};
  expect(encoding).toEqual(want);
});
