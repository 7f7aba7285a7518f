/** LoopBack's to-do list: OpenAPI 3.0, JSON bodies, filters as `content: application/json` in the query. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';

import { start } from '../../lib/start.mjs';
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
  workflows: {
    addAll: {
      description: 'Adds a to-do for each title, and finds the first of them.',
      inputs: {
        type: 'object',
        properties: { titles: { type: 'array', items: { type: 'string' } } },
        required: ['titles'],
      },
      steps: [
        {
          ...{ id: 'added', call: 'todo_create', arguments: { title: '$item' } },
          ...{ forEach: '$inputs.titles', parallel: 2 },
        },
        { id: 'all', call: 'todo_find' },
      ],
      result: {
        added: '$steps.added[*].id',
        first: '$first($steps.all[?@.title == $inputs.titles[0]].id)',
      },
    },
  },
  steps: {
    create: async ({ call, ask, kept }) => {
      const { structuredContent } = await call('todo_create', {
        title: 'Größer & höher?',
        desc: 'a "quoted" /slash/ and 100 %',
      });
      kept.todo = structuredContent;
      assert.equal(structuredContent.title, 'Größer & höher?');
      assert.deepEqual(seen(await ask(`/todos/${kept.todo.id}`)), structuredContent);
    },
    read: async ({ call, kept }) => {
      const { structuredContent } = await call('todo_findById', { id: kept.todo.id });
      assert.deepEqual(structuredContent, kept.todo);
    },
    list: async ({ call, ask }) => {
      const { structuredContent } = await call('todo_find');
      assert.deepEqual(structuredContent.result, seen(await ask('/todos')));
    },
    'list by a filter': async ({ call, kept }) => {
      const filter = { where: { title: kept.todo.title }, limit: 5, fields: ['id', 'title'] };
      const { structuredContent } = await call('todo_find', { filter });
      assert.deepEqual(structuredContent.result, [{ id: kept.todo.id, title: kept.todo.title }]);
    },
    update: async ({ call, ask, kept }) => {
      await call('todo_updateById', { id: kept.todo.id, isComplete: true });
      assert.deepEqual(seen(await ask(`/todos/${kept.todo.id}`)), { ...kept.todo, isComplete: true });
    },
    'refuse what the schema forbids': async ({ refused, ask }) => {
      const before = seen(await ask('/todos/count'));
      assert.match(await refused('todo_create', { desc: 'no title' }), /title/);
      assert.deepEqual(seen(await ask('/todos/count')), before);
    },
    'a workflow': async ({ call, ask }) => {
      const titles = ['Brot & Butter', 'Milch'];
      const { added, first } = (await call('addAll', { titles })).structuredContent;
      assert.equal(added[0], first);
      for (const [index, id] of added.entries()) {
        assert.equal(seen(await ask(`/todos/${id}`)).title, titles[index]);
        await call('todo_deleteById', { id });
      }
    },
    delete: async ({ call, ask, kept }) => {
      await call('todo_deleteById', { id: kept.todo.id });
      assert.equal((await ask(`/todos/${kept.todo.id}`)).status, 404);
    },
  },
};
