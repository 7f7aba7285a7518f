/** opencode's own API: OpenAPI 3.1 of some two hundred operations, unions and deep bodies, events. No model is called. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { textOf } from '../answer.mjs';
import { start } from '../../lib/start.mjs';
import { tools } from './npm.mjs';

const program = tools.path('opencode-linux-x64/bin/opencode');
/** Events that a call listens to: more than the server has of its own after it started, however slow it is. */
const HEARD = 100;

const note = Buffer.from('Remember the milk.');

export const opencode = {
  name: 'opencode',
  program: 'opencode 1.18.33',
  install: async () => {
    await tools.install();
    return existsSync(program) ? undefined : 'its package from npm is for Linux on x64';
  },
  start: async (folder) => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    writeFileSync(path.join(folder, 'note.txt'), note);
    const running = await start({
      command: program,
      args: ['serve', '--hostname', '127.0.0.1', '--port', '0'],
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      },
      ready: /listening on (http:\/\/\S+)/,
    });
    return { ...running, document: `${running.url}/doc`, env: { API_STREAM_ITEMS: String(HEARD) } };
  },
  steps: {
    create: async ({ call, ask, kept }) => {
      const { structuredContent } = await call('session_create', { title: 'Größer & höher?' });
      kept.id = structuredContent.id;
      assert.equal(structuredContent.title, 'Größer & höher?');
      assert.deepEqual((await ask(`/session/${kept.id}`)).json, structuredContent);
    },
    list: async ({ call, ask, kept }) => {
      const { structuredContent } = await call('session_list', { limit: 100 });
      assert.deepEqual(structuredContent.result, (await ask('/session?limit=100')).json);
      assert.ok(structuredContent.result.some(({ id }) => id === kept.id));
    },
    'create in a list of unions': async ({ call, ask, kept }) => {
      const url = `data:text/plain;base64,${note.toString('base64')}`;
      const { structuredContent } = await call('session_prompt', {
        sessionID: kept.id,
        noReply: true,
        parts: [
          { type: 'text', text: 'Read this' },
          { type: 'file', mime: 'text/plain', filename: 'note.txt', url },
        ],
      });
      kept.message = structuredContent.info.id;
      const { json } = await ask(`/session/${kept.id}/message/${kept.message}`);
      assert.deepEqual(json.parts, structuredContent.parts);
      assert.deepEqual(
        json.parts.filter(({ synthetic }) => !synthetic).map(({ text, url: file }) => text ?? file),
        ['Read this', url],
      );
    },
    'listen to events': async ({ call, ask, kept }) => {
      const title = 'Heard of';
      // With each event that came the server itself is told to make another: it has events of its own too.
      const change = () => void ask(`/session/${kept.id}`, { method: 'PATCH', json: { title } });
      const { structuredContent } = await call('event_subscribe', {}, change);
      const events = structuredContent.result.map(({ data }) => data);
      assert.equal(events.length, HEARD);
      assert.equal(events[0].type, 'server.connected');
      const titles = events
        .filter(({ type }) => type === 'session.updated')
        .map(({ properties }) => properties.info.title);
      assert.ok(titles.includes(title), `heard of ${events.map(({ type }) => type).join(', ')}`);
    },
    'delete below an item': async ({ call, ask, kept }) => {
      await call('session_deleteMessage', { sessionID: kept.id, messageID: kept.message });
      assert.deepEqual((await ask(`/session/${kept.id}/message`)).json, []);
    },
    delete: async ({ call, ask, kept }) => {
      assert.equal(textOf(await call('session_delete', { sessionID: kept.id })), 'true');
      assert.equal((await ask(`/session/${kept.id}`)).status, 404);
    },
    'read what is gone': async ({ refused, kept }) => {
      const words = await refused('session_get', { sessionID: kept.id });
      assert.match(words, /404/);
      assert.match(words, /Session not found/);
    },
  },
};
