// A folder that somebody exchanges for a link, after its path was checked and before a file in it is opened.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import { call, httpServer, rawServer, refusal } from './loopback.ts';

let root = '';
let elsewhere = '';

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpgen-exchanged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  [root, elsewhere] = [path.join(folder, 'root'), path.join(folder, 'elsewhere')];
  mkdirSync(path.join(root, 'sub'), { recursive: true });
  mkdirSync(elsewhere);
  writeFileSync(path.join(root, 'sub/note'), 'note');
  writeFileSync(path.join(elsewhere, 'note'), 'TELL');
});

/** When the `nth` file is opened, `folder` is a link to `elsewhere`: from then on or, with `isBack`, only then. */
function exchange(folder: string, nth: number, isBack: boolean): void {
  const { open } = files;
  let count = 0;
  files.open = async (...args) => {
    if (++count !== nth) return open(...args);
    renameSync(folder, `${folder}-before`);
    symlinkSync(elsewhere, folder);
    const file = await open(...args);
    if (isBack) {
      rmSync(folder);
      renameSync(`${folder}-before`, folder);
    }
    return file;
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    files.open = open;
    syncBuiltinESMExports();
  });
}

test('a link that takes the place of the folder itself leads nowhere', async () => {
  const server = await httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('x'.repeat(2_000));
  });
  onTestFinished(server.close);
  renameSync(root, `${root}-before`);
  symlinkSync(elsewhere, root);
  const put: HttpBinding = {
    kind: 'http',
    method: 'PUT',
    path: '/x',
    parameters: [],
    body: { mediaType: 'application/octet-stream', kind: 'binary', argument: 'body' },
  };
  const sent = call(server.url, put, { body: 'file:note' }, { settings: { filesRoot: root } });
  expect((await refusal(sent)).message).toContain('lies outside the files folder');
  const get: HttpBinding = { kind: 'http', method: 'GET', path: '/reports/7', parameters: [] };
  const options = { settings: { filesRoot: root }, limits: { inlineBytes: 1_000 }, savesFiles: true };
  expect((await refusal(call(server.url, get, {}, options))).message).toContain(
    'the files folder was exchanged',
  );
  expect(readdirSync(elsewhere)).toEqual(['note']);
});

const times = [1, 2].flatMap((nth) => [true, false].map((isBack) => [nth, isBack] as const));

test.each(times)(
  'exchanged at opening %i, and back again: %s: no file of elsewhere is sent',
  async (nth, isBack) => {
    const server = await rawServer();
    onTestFinished(server.close);
    const put: HttpBinding = {
      kind: 'http',
      method: 'PUT',
      path: '/x',
      parameters: [],
      body: { mediaType: 'application/octet-stream', kind: 'binary', argument: 'body' },
    };
    exchange(path.join(root, 'sub'), nth, isBack);
    const sent = call(server.url, put, { body: 'file:sub/note' }, { settings: { filesRoot: root } });
    const { message } = await refusal(sent);
    expect(message).toContain('lies outside the files folder');
    expect(server.requests.map(({ body }) => body.toString()).join('')).not.toContain('TELL');
  },
);

test.each([true, false])('exchanged, and back again: %s: nothing is saved elsewhere', async (isBack) => {
  const server = await httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('x'.repeat(2_000));
  });
  onTestFinished(server.close);
  const get: HttpBinding = { kind: 'http', method: 'GET', path: '/reports/7', parameters: [] };
  exchange(root, 1, isBack);
  const options = { settings: { filesRoot: root }, limits: { inlineBytes: 1_000 }, savesFiles: true };
  const { message } = await refusal(call(server.url, get, {}, options));
  expect(message).toContain('the files folder was exchanged');
  expect(readdirSync(elsewhere)).toEqual(['note']);
});
