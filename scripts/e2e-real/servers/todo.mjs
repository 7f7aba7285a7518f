/** LoopBack's to-do list: OpenAPI 3.0, JSON bodies, filters as `content: application/json` in the query. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';

import { start } from '../start.mjs';
import { loopback, READY, tools } from './npm.mjs';

const seen = ({ json }) => json;

export const todo = {
  name: 'todo',
  program: '@loopback/example-todo 6.0.0',
  install: () => tools.install(),
  /** The server reads and writes `data/db.json` in its working folder. */
  start: async (folder) => {
    const home = tools.path('@loopback/example-todo');
    cpSync(path.join(home, 'data'), path.join(folder, 'data'), { recursive: true });
    const running = await start({ ...loopback(home), cwd: folder, ready: READY });
    return { ...running, document: `${running.url}/openapi.json` };
  },
  steps: {
    create: async ({ call, ask, kept }) => {
      const { structuredContent } = await call('TodoController_create', {
        title: 'Größer & höher?',
        desc: 'a "quoted" /slash/ and 100 %',
      });
      kept.todo = structuredContent;
      assert.equal(structuredContent.title, 'Größer & höher?');
      assert.deepEqual(seen(await ask(`/todos/${kept.todo.id}`)), structuredContent);
    },
    read: async ({ call, kept }) => {
      const { structuredContent } = await call('TodoController_findById', { id: kept.todo.id });
      assert.deepEqual(structuredContent, kept.todo);
    },
    list: async ({ call, ask }) => {
      const { structuredContent } = await call('TodoController_find');
      assert.deepEqual(structuredContent.result, seen(await ask('/todos')));
    },
    'list by a filter': async ({ call, kept }) => {
      const filter = { where: { title: kept.todo.title }, limit: 5, fields: ['id', 'title'] };
      const { structuredContent } = await call('TodoController_find', { filter });
      assert.deepEqual(structuredContent.result, [{ id: kept.todo.id, title: kept.todo.title }]);
    },
    count: async ({ call, kept }) => {
      const where = { title: kept.todo.title };
      const { structuredContent } = await call('TodoController_count', { where });
      assert.deepEqual(structuredContent, { count: 1 });
    },
    update: async ({ call, ask, kept }) => {
      await call('TodoController_updateById', { id_path: kept.todo.id, isComplete: true });
      assert.deepEqual(seen(await ask(`/todos/${kept.todo.id}`)), { ...kept.todo, isComplete: true });
    },
    replace: async ({ call, ask, kept }) => {
      const { id } = kept.todo;
      await call('TodoController_replaceById', { id_path: id, title: 'Another' });
      assert.deepEqual(seen(await ask(`/todos/${id}`)), { id, title: 'Another' });
    },
    'refuse what the schema forbids': async ({ refused, ask }) => {
      const before = seen(await ask('/todos/count'));
      assert.match(await refused('TodoController_create', { desc: 'no title' }), /title/);
      assert.deepEqual(seen(await ask('/todos/count')), before);
    },
    delete: async ({ call, ask, kept }) => {
      await call('TodoController_deleteById', { id: kept.todo.id });
      assert.equal((await ask(`/todos/${kept.todo.id}`)).status, 404);
    },
    'read what is gone': async ({ refused, kept }) => {
      const words = await refused('TodoController_findById', { id: kept.todo.id });
      assert.match(words, /404/);
      assert.match(words, /Entity not found/);
    },
  },
};
