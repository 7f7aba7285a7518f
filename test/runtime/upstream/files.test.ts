// Arguments that name files: what is sent of them, and which are refused.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import { call, headerOf, type Loopback, rawServer, refusal } from './loopback.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpgen-files-'));
const root = path.join(folder, 'root');
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));

beforeAll(() => {
  mkdirSync(path.join(root, 'sub'), { recursive: true });
  mkdirSync(path.join(folder, 'root-2'));
  writeFileSync(path.join(root, 'sub/photo.PNG'), bytes);
  writeFileSync(path.join(root, 'a b%20c.txt'), 'text');
  writeFileSync(path.join(root, 'empty'), '');
  writeFileSync(path.join(root, '..name'), 'dots');
  writeFileSync(path.join(folder, 'secret'), 'secret');
  writeFileSync(path.join(folder, 'root-2/secret'), 'secret');
  symlinkSync(path.join(folder, 'secret'), path.join(root, 'out'));
  symlinkSync(folder, path.join(root, 'up'));
  symlinkSync('loop', path.join(root, 'loop'));
  symlinkSync(path.join(root, 'sub/photo.PNG'), path.join(root, 'in'));
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
});

afterAll(() => rmSync(folder, { recursive: true }));

const put: HttpBinding = {
  kind: 'http',
  method: 'PUT',
  path: '/x',
  parameters: [],
  body: { mediaType: 'application/octet-stream', kind: 'binary', argument: 'body' },
};

async function upstream(...given: Parameters<typeof rawServer>): Promise<Loopback> {
  const server = await rawServer(...given);
  onTestFinished(server.close);
  return server;
}

const settings = { filesRoot: root };

test.each<[string, string | Buffer, string?]>([
  ['file:sub/photo.PNG', bytes],
  ['file:./sub/../sub/photo.PNG', bytes],
  [pathToFileURL(path.join(root, 'sub/photo.PNG')).href, bytes],
  [`file:${path.join(root, 'sub/photo.PNG')}`, bytes],
  ['FILE:in', bytes],
  ['file:up/root/in', bytes],
  ['file:a b%20c.txt', 'text'],
  [pathToFileURL(path.join(root, 'a b%20c.txt')).href, 'text'],
  ['file:empty', ''],
  ['file:..name', 'dots'],
])('%s is sent', async (body, want, filesRoot = root) => {
  const server = await upstream();
  await call(server.url, put, { body }, { settings: { filesRoot } });
  const [received] = server.requests;
  expect(received?.body.equals(Buffer.from(want))).toBe(true);
  expect(headerOf(received, 'content-length')).toBe(String(want.length));
  expect(headerOf(received, 'content-type')).toBe('application/octet-stream');
});

const exists = 'does not exist in the files folder; give a path relative to that folder.';
const outside = 'lies outside the files folder; give a path relative to it, of a file in it.';

test.each([
  ['file:../secret', outside],
  ['file:sub/../../secret', outside],
  ['file:../root-2/secret', outside],
  ['file:..', outside],
  [`file:${folder}/secret`, outside],
  [`file://${folder}/root/%2e%2e/secret`, outside],
  ['file:/etc/passwd', outside],
  ['file:/no/such/file', outside],
  ['file:out', outside],
  ['file:up/secret', outside],
  ['file:missing', exists],
  ['file:empty/missing', exists],
  ['file:loop', "can't be read (ELOOP)."],
  [`file:${'x'.repeat(300)}`, "can't be read (ENAMETOOLONG)."],
  ['file:sub', 'is a folder; name a file in it.'],
  ['file:.', 'is a folder; name a file in it.'],
  ['file:pipe', 'is no regular file.'],
  ['file:sub/photo.PNG', 'has 300000 bytes, more than the 200000 that may be sent (API_FILE_BYTES).'],
  ['file:', 'names no file. Give file:<path in the files folder>, such as file:photos/cat.png.'],
  ['file:a\0b', 'names no file. Give file:<path in the files folder>, such as file:photos/cat.png.'],
  ['file://other/x', 'names no file. Give file:<path in the files folder>, such as file:photos/cat.png.'],
  ['file:///a%2Fb', 'names no file. Give file:<path in the files folder>, such as file:photos/cat.png.'],
])('%j is refused, and nothing is sent', async (body, words) => {
  const server = await upstream();
  const error = await refusal(call(server.url, put, { body }, { settings, limits: { fileBytes: 200_000 } }));
  expect(error.code).toBe('argument');
  expect(error.message).toContain('Argument "body"');
  expect(error.message.endsWith(words)).toBe(true);
  expect(server.requests).toEqual([]);
});

test('without a files folder no file is sent', async () => {
  const server = await upstream();
  const error = await refusal(call(server.url, put, { body: `file:${root}/empty` }));
  expect(error.message).toBe(
    'Argument "body" names a file, and this server may not read files: give the bytes as base64 or as a data: URI. ' +
      'Whoever runs the server allows a folder with --files <folder> or MCP_FILES_ROOT.',
  );
  expect(server.requests).toEqual([]);
});

test.each([
  ['image/*', 'file:sub/photo.PNG', 'image/png'],
  ['*/*', 'file:empty', 'application/octet-stream'],
  ['image/jpeg', 'file:sub/photo.PNG', 'image/jpeg'],
])('of a body of %s, %s is sent as %s', async (mediaType, body, want) => {
  const server = await upstream();
  const binding: HttpBinding = { ...put, body: { mediaType, kind: 'binary', argument: 'body' } };
  await call(server.url, binding, { body }, { settings });
  expect(headerOf(server.requests[0], 'content-type')).toBe(want);
});

test('a part has the file’s name, and the type that the document says or else the extension', async () => {
  const server = await upstream();
  const properties = ['photo', 'notes', 'other'].map((name) => ({ argument: name, name, binary: true }));
  const binding: HttpBinding = {
    ...put,
    method: 'POST',
    body: {
      mediaType: 'multipart/form-data',
      kind: 'multipart',
      properties: [...properties, { argument: 'title', name: 'title' }],
      encoding: { notes: { contentType: 'application/x-notes' } },
    },
  };
  const args = {
    photo: ['file:sub/photo.PNG', bytes.toString('base64')],
    notes: 'file:a b%20c.txt',
    other: 'file:empty',
    title: 'file:out',
  };
  await call(server.url, binding, args, { settings });
  const [received] = server.requests;
  const boundary = /boundary=(.*)$/.exec(headerOf(received, 'content-type') ?? '')?.[1];
  const part = (head: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const binary = bytes.toString('latin1');
  const want =
    part('name="photo"; filename="photo.PNG"\r\nContent-Type: image/png', binary) +
    part('name="photo"; filename="photo.bin"\r\nContent-Type: application/octet-stream', binary) +
    part('name="notes"; filename="a b%20c.txt"\r\nContent-Type: application/x-notes', 'text') +
    part('name="other"; filename="empty"\r\nContent-Type: application/octet-stream', '') +
    part('name="title"', 'file:out') +
    `--${boundary}--\r\n`;
  expect(received?.body.toString('latin1') === want).toBe(true);
  expect(headerOf(received, 'content-length')).toBe(String(want.length));
});

test('each try, and a redirect, reads the file again', async () => {
  const ok = 'HTTP/1.1 204 No Content\r\n\r\n';
  const answers = [
    'HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 307 There\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n',
    ok,
  ];
  const server = await upstream((_received, _socket, index) => answers[index]);
  const answer = await call(server.url, put, { body: 'file:in' }, { settings });
  expect(answer.status).toBe(204);
  expect(server.requests.map(({ line }) => line)).toEqual([
    'PUT /x HTTP/1.1',
    'PUT /x HTTP/1.1',
    'PUT /y HTTP/1.1',
  ]);
  expect(server.requests.map(({ body }) => body.equals(bytes))).toEqual([true, true, true]);
});

test('a file that shrinks while it is sent ends the call, and says so', async () => {
  const place = path.join(root, 'shrinking');
  writeFileSync(place, bytes);
  const server = await upstream();
  const beforeRequest = () => truncateSync(place, 10);
  const error = await refusal(
    call(server.url, put, { body: 'file:shrinking' }, { settings: { ...settings, beforeRequest } }),
  );
  expect(error.message).toBe('Argument "body": the file shrinking was changed while it was sent; try again.');
  expect(server.requests).toEqual([]);
});

test('a link that takes the file’s place is not followed', async () => {
  const place = path.join(root, 'swapped');
  writeFileSync(place, bytes);
  const server = await upstream();
  const beforeRequest = () => {
    rmSync(place);
    symlinkSync(path.join(folder, 'secret'), place);
  };
  const error = await refusal(
    call(server.url, put, { body: 'file:swapped' }, { settings: { ...settings, beforeRequest } }),
  );
  expect(error.message).toContain('lies outside the files folder');
  expect(server.requests).toEqual([]);
});

test('a hook sees no body, leaves it as it is, or puts another in its place', async () => {
  const server = await upstream();
  const bodies: unknown[] = [];
  const send = async (replacement?: string) =>
    call(
      server.url,
      put,
      { body: 'file:in' },
      {
        settings: {
          ...settings,
          beforeRequest: (request) => {
            bodies.push(request.body);
            request.headers.set('x-seen', 'yes');
            if (replacement !== undefined) request.body = replacement;
          },
        },
      },
    );
  await send();
  await send('own');
  expect(bodies).toEqual([undefined, undefined]);
  expect(server.requests.map((each) => headerOf(each, 'x-seen'))).toEqual(['yes', 'yes']);
  expect(server.requests.map(({ body }) => body.length)).toEqual([bytes.length, 3]);
});

test('an upload that is refused before its end is answered', async () => {
  const large = path.join(root, 'large');
  writeFileSync(large, '');
  truncateSync(large, 20_000_000);
  const early = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void early.close());
  const address = early.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const answer = await call(`http://127.0.0.1:${port}`, put, { body: 'file:large' }, { settings });
  expect(answer.status).toBe(413);
});

test('parts that the document leaves open may be files by name', async () => {
  const server = await upstream();
  const binding: HttpBinding = {
    ...put,
    method: 'POST',
    body: { mediaType: 'multipart/form-data', kind: 'multipart', argument: 'body', parts: { text: {} } },
  };
  const note = 'File: see below';
  const body = { a: ['file:a b%20c.txt', 'x'], note, lines: 'file:a\nb', text: 'file:empty' };
  await call(server.url, binding, { body }, { settings });
  const [received] = server.requests;
  const boundary = /boundary=(.*)$/.exec(headerOf(received, 'content-type') ?? '')?.[1] ?? '';
  const part = (name: string, rest: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n`;
  expect(received?.body.toString()).toBe(
    part('a', '; filename="a b%20c.txt"\r\nContent-Type: text/plain\r\n\r\ntext') +
      part('a', '\r\n\r\nx') +
      part('note', `\r\n\r\n${note}`) +
      part('lines', '\r\n\r\nfile:a\nb') +
      part('text', '\r\n\r\nfile:empty') +
      `--${boundary}--\r\n`,
  );
});
