/** The tables that steps of Directus work with: columns of many types. */
import assert from 'node:assert/strict';

import { direct } from '../direct.mjs';

const field = (name, type, schema = {}, special = undefined) => ({
  field: name,
  type,
  schema,
  meta: special && { special: [special] },
});
const collections = [
  {
    collection: 'makers',
    fields: [
      field('id', 'integer', { is_primary_key: true, has_auto_increment: true }),
      field('name', 'string'),
    ],
  },
  {
    collection: 'products',
    fields: [
      field('id', 'uuid', { is_primary_key: true }, 'uuid'),
      field('title', 'string', { is_nullable: false }),
      field('price', 'decimal', { numeric_precision: 12, numeric_scale: 2 }),
      field('stock', 'bigInteger'),
      field('tags', 'json', {}, 'cast-json'),
      field('keywords', 'csv', {}, 'cast-csv'),
      field('available', 'date'),
      field('public', 'boolean', { default_value: false }, 'cast-boolean'),
      field('maker', 'integer'),
      field('changed', 'timestamp', {}, 'date-updated'),
    ],
  },
];

/**
 * Makes two tables, one of which refers to the other.
 * @param {string} url of Directus
 * @param {Record<string, string>} headers an administrator's
 */
export async function makeTables(url, headers) {
  const make = async (at, json) => {
    const { status, body } = await direct(url + at, { method: 'POST', headers, json });
    assert.equal(status, 200, body.toString());
  };
  for (const one of collections) await make('/collections', { ...one, schema: {}, meta: {} });
  await make('/relations', { collection: 'products', field: 'maker', related_collection: 'makers' });
}
