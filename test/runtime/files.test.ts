// `--files`: what is sent of a folder and saved in it, and what is refused.
import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type ApiParts, openApi, textOf } from './api.ts';

let folder = '';
let root = '';
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));

beforeEach(() => {
  folder = fs.realpathSync(mkdtempSync(path.join(tmpdir(), 'mcpgen-files-')));
  root = path.join(folder, 'root');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
});

const put = (mediaType = 'application/octet-stream'): ApiParts['binding'] => ({
  method: 'PUT',
  body: { mediaType, kind: 'binary', argument: 'body' },
});
const open = (parts: ApiParts = {}) => openApi({ binding: put(), flags: { files: root }, ...parts });

test.each<[string, () => string, string | Buffer]>([
  ['a path in the folder', () => 'file:sub/photo.PNG', bytes],
  ['a URL', () => pathToFileURL(path.join(root, 'sub/photo.PNG')).href, bytes],
  ['a link inside', () => 'FILE:in', bytes],
  ['a link out and in again', () => 'file:up/root/in', bytes],
  ['a name as it is written', () => 'file:a b%20c.txt', 'text'],
  ['a name in a URL', () => pathToFileURL(path.join(root, 'a b%20c.txt')).href, 'text'],
  ['a name that begins with dots', () => 'file:..name', 'dots'],
])('%s is sent', async (_, body, want) => {
  const { call, requests } = await open();
  await call({ body: body() });
  expect(Buffer.from(requests[0]?.body ?? '', 'latin1').equals(Buffer.from(want))).toBe(true);
  expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/octet-stream' });
});

test.each([
  ['image/*', 'file:sub/photo.PNG', 'image/png'],
  ['*/*', 'file:empty', 'application/octet-stream'],
  ['image/jpeg', 'file:sub/photo.PNG', 'image/jpeg'],
])('of a body of %s, %s is sent as %s', async (mediaType, body, want) => {
  const { call, requests } = await open({ binding: put(mediaType) });
  await call({ body });
  expect(requests[0]?.headers).toMatchObject({ 'content-type': want });
});

const outside = /lies outside the files folder/;
const none = /names no file\. Give file:/;
test.each<[string, () => string, RegExp]>([
  ['dots', () => 'file:../secret', outside],
  ['a folder with a like name', () => 'file:../root-2/secret', outside],
  ['a whole path', () => `file:${folder}/secret`, outside],
  ['encoded dots', () => `file://${root}/%2e%2e/secret`, outside],
  ['a file of the system', () => 'file:/etc/passwd', outside],
  ['a link out', () => 'file:out', outside],
  ['a linked folder', () => 'file:up/secret', outside],
  ['what is not there', () => 'file:missing', /does not exist in the files folder/],
  ['a circle of links', () => 'file:loop', /can't be read \(ELOOP\)/],
  ['a name too long', () => `file:${'x'.repeat(300)}`, /can't be read \(ENAMETOOLONG\)/],
  ['a folder', () => 'file:sub', /is a folder/],
  ['a file too long', () => 'file:sub/photo.PNG', /has 300000 bytes, more than the 200000.*API_FILE_BYTES/],
  ['nothing', () => 'file:', none],
  ['NUL', () => 'file:a\0b', none],
  ['another host', () => 'file://other/x', none],
])('%s is refused, and nothing is sent', async (_, body, words) => {
  const { call, requests } = await open({ env: { API_FILE_BYTES: '200000' } });
  const result = await call({ body: body() });
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(words)]);
  expect(requests).toEqual([]);
});

test('a pipe is no file, and nobody waits for its writer', async () => {
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  const { call } = await open();
  expect(textOf(await call({ body: 'file:pipe' }))).toMatch(/is no regular file/);
});

test('without a folder no file is sent, and a folder that is none ends the start', async () => {
  const { call, requests } = await open({ flags: {} });
  expect(textOf(await call({ body: `file:${root}/empty` }))).toMatch(/--files <folder> or MCP_FILES_ROOT/);
  expect(requests).toEqual([]);
  await expect(open({ flags: { files: path.join(root, 'empty') } })).rejects.toThrow(
    /--files must be a folder/,
  );
  await expect(open({ flags: {}, env: { MCP_FILES_ROOT: '/no/such' } })).rejects.toThrow(/^MCP_FILES_ROOT/);
});

/** When the file is opened, `place` is a link to the folder outside; `isBack`: only then. */
function exchange(place: string, isBack: boolean): void {
  const { openSync } = fs;
  fs.openSync = (...args) => {
    renameSync(place, `${place}-before`);
    symlinkSync(path.join(folder, 'root-2'), place);
    try {
      return openSync(...args);
    } finally {
      fs.openSync = openSync;
      syncBuiltinESMExports();
      if (isBack) {
        rmSync(place);
        renameSync(`${place}-before`, place);
      }
    }
  };
  syncBuiltinESMExports();
}

test.each([false, true])(
  'a folder that becomes a link while a file is opened leads nowhere',
  async (isBack) => {
    writeFileSync(path.join(root, 'sub/secret'), 'inside');
    const { call, requests } = await open();
    exchange(path.join(root, 'sub'), isBack);
    expect(textOf(await call({ body: 'file:sub/secret' }))).toMatch(outside);
    expect(requests).toEqual([]);
  },
);

test('a link that takes the place of the folder itself leads nowhere', async () => {
  const { call, requests } = await open({ answer: () => ({ headers: pdf, body: large }) });
  renameSync(root, `${root}-before`);
  symlinkSync(path.join(folder, 'root-2'), root);
  expect(textOf(await call({ body: 'file:secret' }))).toMatch(outside);
  expect(requests).toEqual([]);
  expect(textOf(await call({ body: 'aGk=' }))).toMatch(/the files folder was exchanged/);
  expect(readdirSync(path.join(folder, 'root-2'))).toEqual(['secret']);
});

// Answers.

const large = Buffer.alloc(1_100_000, 'abc');
const pdf = { 'content-type': 'application/pdf; version=2' };
const get = { method: 'GET', path: '/reports/7' };

test('a long answer is a file, and the result links to it', async () => {
  const headers = { ...pdf, 'content-disposition': 'attachment; filename="a report.pdf"' };
  const { call } = await open({ binding: get, answer: () => ({ headers, body: large }) });
  const result = await call();
  const uri = pathToFileURL(path.join(root, 'a report.pdf')).href;
  const link = {
    type: 'resource_link',
    uri,
    name: 'a report.pdf',
    mimeType: 'application/pdf',
    size: large.length,
  };
  expect(result.content[0]).toMatchObject(link);
  expect(readFileSync(path.join(root, 'a report.pdf')).equals(large)).toBe(true);
});

test('a file is never written over, nor through a link', async () => {
  writeFileSync(path.join(root, '7.pdf'), 'mine');
  symlinkSync(path.join(root, 'elsewhere'), path.join(root, '7-2.pdf'));
  const { call } = await open({ binding: get, answer: () => ({ headers: pdf, body: large }) });
  expect((await call()).content[0]).toMatchObject({ name: '7-3.pdf' });
  expect(readFileSync(path.join(root, '7.pdf'), 'utf8')).toBe('mine');
  expect(readdirSync(root)).not.toContain('elsewhere');
});

test.each<[string, number, Record<string, string>, Buffer]>([
  ['short', 200, pdf, large.subarray(0, 1_000)],
  ['text', 200, { 'content-type': 'text/csv' }, large],
  ['of no type', 200, {}, large],
  ['no success', 404, pdf, large],
])('an answer that is %s is not saved', async (_, status, headers, body) => {
  const before = readdirSync(root);
  const { call } = await open({ binding: get, answer: () => ({ status, headers, body }) });
  await call();
  expect(readdirSync(root)).toEqual(before);
});

test('of an answer that is too long, or breaks off, nothing is left', async () => {
  const before = readdirSync(root);
  const parts = { binding: get, env: { API_FILE_BYTES: '1050000' } };
  const long = await open({ ...parts, answer: () => ({ headers: pdf, body: large }) });
  expect(textOf(await long.call())).toMatch(/longer than the 1050000 bytes/);
  const broken = await open({
    ...parts,
    env: {},
    answer: (_, index, response) => {
      response.writeHead(200, { ...pdf, 'content-length': String(large.length) });
      if (index > 0) response.end(large);
      else response.write(large.subarray(0, 1_060_000), () => setTimeout(() => response.destroy(), 100));
      return undefined;
    },
  });
  expect((await broken.call()).content[0]).toMatchObject({ name: '7.pdf', size: large.length });
  expect(readdirSync(root).filter((name) => !before.includes(name))).toEqual(['7.pdf']);
});

test.each<[string, string, string]>([
  ['the last of folders', 'attachment; filename="../../etc/x.sh"', 'x.sh'],
  ['folders of Windows', String.raw`attachment; filename="C:\\a\\b.txt"`, 'b.txt'],
  ['the extended name', "attachment; filename=x.txt; filename*=UTF-8''%e2%82%ac%20rates.pdf", '€ rates.pdf'],
  ['a name that hides its end', `attachment; filename*=UTF-8''a%E2%80%AEgpj.exe`, 'agpj.exe'],
  ['a device of Windows', 'attachment; filename=con.txt', '_con.txt'],
  ['dots alone', 'attachment; filename=..', 'download.pdf'],
])('the name of a saved file: %s', async (_, disposition, want) => {
  const headers = { ...pdf, 'content-disposition': disposition };
  const { call } = await open({ binding: get, answer: () => ({ headers, body: large }) });
  expect((await call()).content[0]).toMatchObject({ name: want });
});

test('a name shows no credential', async () => {
  const { call } = await open({
    binding: { ...get, security: [{ key: [] }] },
    api: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k', env: { key: 'KEY' } } } },
    env: { KEY: 'secret-123456' },
    answer: () => ({
      headers: { ...pdf, 'content-disposition': 'x; filename=secret-123456.pdf' },
      body: large,
    }),
  });
  expect((await call()).content[0]).toMatchObject({ name: '[redacted].pdf' });
});

test('a resource has the bytes', async () => {
  const { read } = await open({ binding: get, answer: () => ({ headers: pdf, body: large }) });
  expect(await read()).toMatchObject({ result: { contents: [{ blob: large.toString('base64') }] } });
});
