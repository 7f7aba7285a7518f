/** Directus on PostgreSQL: OpenAPI 3.0 made of its database's tables; what it answers often differs from what that says. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { runOrThrow } from '../../lib/run.mjs';
import { Tools } from '../../lib/tools.mjs';
import { answerIn, bytesIn, textOf } from '../answer.mjs';
import { direct } from '../direct.mjs';
import { installBeside, startPostgres } from '../postgres.mjs';
import { freePort } from '../../lib/free-port.mjs';
import { start } from '../start.mjs';
import { makeTables } from './directus-tables.mjs';

const tools = new Tools('test/real/directus');
const TOKEN = 'a-token-for-this-run';
const headers = { Authorization: `Bearer ${TOKEN}` };

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** @returns {Promise<Record<string, string>>} the environment of Directus, for a new database */
async function environment(folder, database) {
  const port = await freePort();
  writeFileSync(path.join(folder, 'package.json'), '{}');
  for (const name of ['uploads', 'extensions']) mkdirSync(path.join(folder, name));
  return {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DB_CLIENT: 'pg',
    DB_HOST: '127.0.0.1',
    DB_PORT: String(database.port),
    DB_DATABASE: 'postgres',
    DB_USER: 'postgres',
    DB_PASSWORD: 'none',
    KEY: randomUUID(),
    SECRET: randomUUID(),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a password for this run',
    ADMIN_TOKEN: TOKEN,
    STORAGE_LOCAL_ROOT: path.join(folder, 'uploads'),
    EXTENSIONS_PATH: path.join(folder, 'extensions'),
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    // Else it answers 503 while the machine is busy.
    PRESSURE_LIMITER_ENABLED: 'false',
    LOG_LEVEL: 'info',
    LOG_STYLE: 'raw',
  };
}

/** `/items/products` with a query whose values are JSON where they are no text. */
const products = (query) => `/items/products?${new URLSearchParams(query)}`;
const byTitle = (title, operator = '_eq') => ({ title: { [operator]: title } });

const stored = async (ask, id) => (await ask(`/items/products/${id}`)).json;
const countOf = async (ask) => Number((await ask(products({ 'aggregate[count]': '*' }))).json.data[0].count);

/** An answer about several items, which come in any order. */
const sortedById = ({ data, ...rest }) => ({
  data: data.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ...rest,
});

/** Uploads every byte there is, which the document has no operation for. */
async function upload(ask) {
  const boundary = randomUUID();
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="bytes.bin"',
    'Content-Type: application/octet-stream',
    '\r\n',
  ].join('\r\n');
  const body = Buffer.concat([Buffer.from(head), everyByte, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const type = `multipart/form-data; boundary=${boundary}`;
  const { json } = await ask('/files', { method: 'POST', headers: { 'content-type': type }, body });
  return json.data.id;
}

/** Four products of one connection, called alike. */
function productsOf(name) {
  return [10.5, 20, 30.25, 40].map((price, index) => ({
    id: randomUUID(),
    title: `${name} ${index}`,
    price,
    stock: 40 + index,
    tags: { sizes: [index, null], 'ünï "code"': true },
    keywords: ['a', 'b c'],
    available: '2026-02-28',
    public: index % 2 === 0,
  }));
}

export const directus = {
  name: 'directus',
  program: 'Directus 12.4 on PostgreSQL',
  install: () => installBeside(tools),
  start: async (folder) => {
    const database = await startPostgres();
    try {
      const env = await environment(folder, database);
      const command = tools.node(22);
      const loaded = fileURLToPath(new URL('directus-node.mjs', import.meta.url));
      const args = (verb) => ['--import', loaded, tools.path('directus/cli.js'), verb];
      await runOrThrow(command, args('bootstrap'), { cwd: folder, env });
      const ready = /Server started at (http:[^\s"]+)/;
      const running = await start({ command, args: args('start'), cwd: folder, env, ready });
      await makeTables(running.url, headers);
      // Visitors are shown what they may do, which is next to nothing.
      const document = path.join(folder, 'directus.json');
      writeFileSync(document, (await direct(`${running.url}/server/specs/oas`, { headers })).body);
      return {
        url: running.url,
        document,
        headers,
        env: { API_KEY_AUTH: headers.Authorization },
        close: () => running.close().finally(database.close),
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  },
  steps: {
    'create an item': async ({ call, ask, kept }) => {
      kept.name = `Größer & höher? ${randomUUID()}`;
      kept.items = productsOf(kept.name);
      const [item] = kept.items;
      const answer = answerIn(await call('createItemsProducts', { body: item }));
      const { json } = await ask(`/items/products/${item.id}`);
      assert.deepEqual(
        { ...json.data, price: Number(json.data.price), stock: Number(json.data.stock) },
        {
          ...item,
          maker: null,
          changed: null,
        },
      );
      assert.deepEqual(answer, json);
    },
    'create several': async ({ call, ask, kept }) => {
      const rest = kept.items.slice(1);
      const answer = answerIn(await call('createItemsProducts', { body: rest }));
      const { json } = await ask(
        products({ filter: JSON.stringify(byTitle(kept.name, '_starts_with')), sort: 'price', offset: '1' }),
      );
      const ids = json.data.map(({ id }) => id);
      assert.deepEqual(
        ids,
        rest.map(({ id }) => id),
      );
      assert.deepEqual(sortedById(answer), sortedById(json));
    },
    'create what others refer to': async ({ call, ask, kept }) => {
      const answer = answerIn(await call('createItemsMakers', { body: { name: 'Ada' } }));
      kept.maker = answer.data.id;
      assert.deepEqual((await ask(`/items/makers/${kept.maker}`)).json, answer);
    },
    'read an item': async ({ call, ask, kept }) => {
      const answer = answerIn(await call('readSingleItemsProducts', { id: kept.items[0].id }));
      assert.deepEqual(answer, await stored(ask, kept.items[0].id));
    },
    'update an item': async ({ call, ask, kept }) => {
      const { id, title } = kept.items[0];
      const answer = answerIn(
        await call('updateSingleItemsProducts', {
          id_path: id,
          id_body: id,
          title,
          stock: 7,
          maker: kept.maker,
        }),
      );
      const { data } = await stored(ask, id);
      assert.deepEqual([data.maker, String(data.stock)], [kept.maker, '7']);
      assert.notEqual(data.changed, null);
      assert.deepEqual(answer, { data });
    },
    'read what an item refers to': async ({ call, ask, kept }) => {
      const { id } = kept.items[0];
      const fields = ['title', 'maker.name'];
      const answer = answerIn(await call('readSingleItemsProducts', { id, fields }));
      assert.deepEqual(answer, { data: { title: kept.items[0].title, maker: { name: 'Ada' } } });
      assert.deepEqual(answer, (await ask(`/items/products/${id}?fields=title,maker.name`)).json);
    },
    'list by a filter': async ({ call, kept }) => {
      const filter = { _and: [byTitle(kept.name, '_starts_with'), { price: { _gt: 15 } }] };
      const asked = { filter, sort: ['-price', 'title'], fields: ['id', 'title'] };
      const answer = answerIn(await call('readItemsProducts', asked));
      const wanted = kept.items.slice(1).reverse();
      assert.deepEqual(answer, { data: wanted.map(({ id, title }) => ({ id, title })) });
    },
    'list the second page': async ({ call, ask, kept }) => {
      const filter = byTitle(kept.name, '_starts_with');
      const paging = { limit: 3, page: 2, meta: '*' };
      const answer = answerIn(await call('readItemsProducts', { filter, sort: ['price'], ...paging }));
      assert.equal(answer.meta.filter_count, 4);
      assert.deepEqual(
        answer.data.map(({ id }) => id),
        [kept.items[3].id],
      );
      const query = products({ filter: JSON.stringify(filter), sort: 'price', ...paging });
      assert.deepEqual(answer, (await ask(query)).json);
    },
    'search a text': async ({ call, kept }) => {
      const answer = answerIn(await call('readItemsProducts', { search: `${kept.name} 2`, fields: ['id'] }));
      assert.deepEqual(answer, { data: [{ id: kept.items[2].id }] });
    },
    'count and sum up': async ({ call, ask, kept }) => {
      const filter = byTitle(kept.name, '_starts_with');
      const asked = { filter, aggregate: { count: ['*'], sum: ['price'] }, groupBy: ['public'] };
      const answer = answerIn(await call('readItemsProducts', asked));
      const query = { filter: JSON.stringify(filter), 'aggregate[count]': '*', 'aggregate[sum]': 'price' };
      const { json } = await ask(products({ ...query, groupBy: 'public' }));
      assert.deepEqual(answer, json);
      const sums = Object.fromEntries(answer.data.map((one) => [one.public, Number(one.sum.price)]));
      assert.deepEqual(sums, { true: 40.75, false: 60 });
    },
    'update several': async ({ call, ask, kept }) => {
      const changes = kept.items.slice(1, 3).map(({ id, title }) => ({ id, title, price: 1.99 }));
      const answer = answerIn(await call('updateItemsProducts', { body: changes }));
      const held = await Promise.all(changes.map(({ id }) => stored(ask, id)));
      assert.deepEqual(
        held.map(({ data }) => Number(data.price)),
        [1.99, 1.99],
      );
      assert.deepEqual(sortedById(answer), sortedById({ data: held.map(({ data }) => data) }));
    },
    'refuse an item that is there': async ({ refused, ask, kept }) => {
      const before = await countOf(ask);
      const words = await refused('createItemsProducts', { body: kept.items[0] });
      assert.match(words, /400[^]*RECORD_NOT_UNIQUE/);
      assert.equal(await countOf(ask), before);
    },
    'refuse a filter of no field': async ({ refused }) => {
      const words = await refused('readItemsProducts', { filter: { nothing: { _eq: 1 } } });
      assert.match(words, /403[^]*nothing[^]*FORBIDDEN/);
      assert.ok(!words.includes(TOKEN));
    },
    'import a file of items': async ({ call, ask, kept }) => {
      kept.imported = randomUUID();
      const rows = JSON.stringify([{ id: kept.imported, title: 'Grüße', price: 2 }]);
      const file = `data:application/json;name=rows.json;base64,${Buffer.from(rows).toString('base64')}`;
      await call('import', { collection: 'products', file });
      assert.equal((await stored(ask, kept.imported)).data.title, 'Grüße');
    },
    'export as CSV': async ({ call, ask, kept }) => {
      const filter = byTitle(kept.name, '_starts_with');
      const asked = { filter, fields: ['title', 'keywords'], sort: ['title'], export: 'csv' };
      const result = await call('readItemsProducts', asked);
      const query = {
        filter: JSON.stringify(filter),
        fields: 'title,keywords',
        sort: 'title',
        export: 'csv',
      };
      const held = (await ask(products(query))).body.toString().trim();
      assert.equal(held.split('\n').length, 5);
      assert.ok(textOf(result).includes(held), textOf(result));
      assert.notDeepEqual(result.structuredContent, {});
    },
    'describe a file': async ({ call, ask, kept }) => {
      kept.file = await upload(ask);
      const about = { title: 'Größe', tags: ['one', 'two'], description: null };
      const answer = answerIn(await call('updateFile', { id: kept.file, ...about }));
      const { json } = await ask(`/files/${kept.file}`);
      const { title, tags, description } = json.data;
      assert.deepEqual({ title, tags, description }, about);
      assert.deepEqual(answer, json);
    },
    'list files': async ({ call, ask, kept }) => {
      const filter = { id: { _eq: kept.file } };
      const answer = answerIn(await call('getFiles', { filter, fields: ['*', 'uploaded_by.email'] }));
      const query = new URLSearchParams({ filter: JSON.stringify(filter), fields: '*,uploaded_by.email' });
      assert.deepEqual(answer, (await ask(`/files?${query}`)).json);
      assert.equal(answer.data.length, 1);
    },
    'download a file': async ({ call, kept }) => {
      assert.deepEqual(bytesIn(await call('getAsset', { id: kept.file })), everyByte);
    },
    'create and delete a folder': async ({ call, ask }) => {
      const { data } = answerIn(await call('createFolder', { name: 'Outer' }));
      assert.deepEqual((await ask(`/folders/${data.id}`)).json.data, data);
      const query = { filter: { id: { _eq: data.id } } };
      assert.deepEqual(answerIn(await call('getFolders', query)), { data: [data] });
      await call('deleteFolder', { id: data.id });
      assert.equal((await ask(`/folders/${data.id}`)).status, 403);
    },
    'create a user': async ({ call, ask, kept }) => {
      kept.email = `${randomUUID()}@example.com`;
      const answer = answerIn(
        await call('createUser', { email: kept.email, password: 'a password', first_name: 'Zoë' }),
      );
      kept.user = answer.data.id;
      const { json } = await ask(`/users/${kept.user}`);
      assert.equal(json.data.first_name, 'Zoë');
      assert.deepEqual(answer, json);
    },
    'sign in as that user': async ({ call, ask, kept }) => {
      const { data } = answerIn(await call('login', { email: kept.email, password: 'a password' }));
      const as = { headers: { Authorization: `Bearer ${data.access_token}` } };
      assert.equal((await ask('/users/me?fields=id', as)).json.data.id, kept.user);
      assert.deepEqual(Object.keys(data).toSorted(), ['access_token', 'expires', 'refresh_token']);
    },
    'delete the user': async ({ call, ask, kept }) => {
      await call('deleteUser', { id: kept.user });
      assert.equal((await ask(`/users/${kept.user}`)).status, 403);
    },
    'ask who one is': async ({ call, ask }) => {
      const answer = answerIn(await call('getMe', { fields: ['*', 'role.name'] }));
      const { json } = await ask('/users/me?fields=*,role.name');
      assert.deepEqual({ ...answer.data, last_access: null }, { ...json.data, last_access: null });
      assert.equal(answer.data.email, 'admin@example.com');
    },
    'comment on an item': async ({ call, ask, kept }) => {
      const about = { collection: 'products', item: kept.items[0].id, comment: 'Fine & good' };
      const { data } = answerIn(await call('createComment', about));
      assert.deepEqual((await ask(`/comments/${data.id}`)).json.data, data);
      const filter = { item: { _eq: about.item } };
      const { data: listed } = answerIn(await call('getComments', { filter }));
      assert.deepEqual(listed, [data]);
    },
    'read what was done': async ({ call, ask, kept }) => {
      const filter = { item: { _eq: kept.items[0].id }, collection: { _eq: 'products' } };
      const answer = answerIn(await call('getActivities', { filter, sort: ['id'] }));
      assert.deepEqual(
        answer.data.map(({ action }) => action),
        ['create', 'update'],
      );
      const query = new URLSearchParams({ filter: JSON.stringify(filter), sort: 'id' });
      assert.deepEqual(answer, (await ask(`/activity?${query}`)).json);
    },
    'read the schema': async ({ call, ask }) => {
      const answer = answerIn(await call('schemaSnapshot'));
      assert.deepEqual(answer, (await ask('/schema/snapshot')).json);
      assert.ok(answer.data.collections.some(({ collection }) => collection === 'products'));
    },
    'read fields of a table': async ({ call, ask }) => {
      const answer = answerIn(await call('getCollectionFields', { collection: 'products' }));
      assert.deepEqual(answer, (await ask('/fields/products')).json);
      assert.equal(answer.data.length, 10);
    },
    'read text and a random text': async ({ call }) => {
      assert.match(textOf(await call('ping')), /pong/);
      assert.equal(answerIn(await call('random', { length: 20 })).data.length, 20);
    },
    'delete an item': async ({ call, ask, kept }) => {
      await call('deleteSingleItemsProducts', { id: kept.items[0].id });
      assert.equal((await ask(`/items/products/${kept.items[0].id}`)).status, 403);
    },
    'read what is gone': async ({ refused, kept }) => {
      const words = await refused('readSingleItemsProducts', { id: kept.items[0].id });
      assert.match(words, /403[^]*FORBIDDEN/);
    },
  },
};
