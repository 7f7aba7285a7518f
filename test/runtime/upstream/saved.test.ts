// Answers of many bytes, where there is a folder for them: saved as they come, and answered as a link.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpBinding } from '../../../templates/runtime/contract/bindings.ts';
import { fileNameForAnswer } from '../../../templates/runtime/upstream/files.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { call, httpServer, rawServer, refusal } from './loopback.ts';

const get: HttpBinding = { kind: 'http', method: 'GET', path: '/reports/7', parameters: [] };
const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));
const pdf = { 'content-type': 'application/pdf; version=2' };

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpgen-saved-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function api(status: number, headers: Record<string, string>, body: string | Buffer): Promise<string> {
  const server = await httpServer((_request, response) => {
    response.writeHead(status, headers).end(body);
  });
  onTestFinished(server.close);
  return server.url;
}

function download(url: string, filesRoot: string, limits: object = {}, savesFiles = true) {
  return call(
    url,
    get,
    {},
    { settings: { filesRoot }, limits: { inlineBytes: 1_000, ...limits }, savesFiles },
  );
}

test('a long answer is a file, and the result links to it', async () => {
  const folder = newFolder();
  const url = await api(200, { ...pdf, 'content-disposition': 'attachment; filename="a report.pdf"' }, bytes);
  const answer = await download(url, folder, { responseBytes: 10 });
  const file = path.join(folder, 'a report.pdf');
  expect(toToolResult(answer, get)).toEqual({
    content: [
      {
        type: 'resource_link',
        uri: pathToFileURL(file).href,
        name: 'a report.pdf',
        description:
          'Saved in the files folder of this server. A tool that takes bytes takes it as file:a report.pdf',
        mimeType: 'application/pdf',
        size: 200_000,
      },
    ],
  });
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('a file is never written over, nor through a link', async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, '7.pdf'), 'mine');
  symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, '7-2.pdf'));
  const url = await api(200, pdf, bytes);
  const { body } = await download(url, folder);
  expect(body).toMatchObject({ kind: 'file', name: '7-3.pdf', size: 200_000 });
  expect(readdirSync(folder).sort()).toEqual(['7-2.pdf', '7-3.pdf', '7.pdf']);
  expect(readFileSync(path.join(folder, '7.pdf'), 'utf8')).toBe('mine');
});

test.each<[string, number, Record<string, string>, object, string]>([
  ['short', 200, pdf, { inlineBytes: 200_000 }, 'bytes'],
  ['text', 200, { 'content-type': 'text/csv' }, {}, 'text'],
  ['of no type', 200, {}, {}, 'bytes'],
  ['no success', 404, pdf, {}, 'bytes'],
])('an answer that is %s is not saved', async (_what, status, headers, limits, want) => {
  const folder = newFolder();
  const { body } = await download(await api(status, headers, bytes), folder, limits);
  expect([body.kind, readdirSync(folder)]).toEqual([want, []]);
});

test('of an answer that is longer than a file may be, nothing is left', async () => {
  const folder = newFolder();
  const error = await refusal(download(await api(200, pdf, bytes), folder, { fileBytes: 100_000 }));
  expect(error.message).toBe(
    'The answer is longer than the 100000 bytes that one file may have (API_FILE_BYTES).',
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('of an answer that breaks off nothing is left, and it is asked for again', async () => {
  const folder = newFolder();
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 200000\r\n\r\n';
  const upstream = await rawServer((_received, socket, index) => {
    socket.write(head);
    if (index === 0) socket.end(bytes.subarray(0, 50_000));
    else socket.write(bytes);
    return undefined;
  });
  onTestFinished(upstream.close);
  const { body } = await download(upstream.url, folder);
  expect([body.kind, upstream.requests.length, readdirSync(folder)]).toEqual(['file', 2, ['7.pdf']]);
  expect(readFileSync(path.join(folder, '7.pdf')).equals(bytes)).toBe(true);
});

test('of a call that is cancelled nothing is left', async () => {
  const folder = newFolder();
  const controller = new AbortController();
  const server = await httpServer((_request, response) => {
    response.writeHead(200, pdf).write(bytes, () => controller.abort());
  });
  onTestFinished(server.close);
  const options = { settings: { filesRoot: folder }, savesFiles: true, signal: controller.signal };
  expect((await refusal(call(server.url, get, {}, options))).code).toBe('aborted');
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that is gone is told', async () => {
  const folder = path.join(newFolder(), 'gone');
  const error = await refusal(download(await api(200, pdf, bytes), folder));
  expect(error.message).toBe('The answer could not be saved in the files folder (ENOENT).');
});

test.each([
  ['/a/b.png?x=1', undefined, 'image/png', 'b.png'],
  ['/a/b', undefined, 'image/png; q=1', 'b.png'],
  ['/a/b/', undefined, 'application/x', 'b.bin'],
  ['/', undefined, 'application/zip', 'download.zip'],
  ['/a%2F..%2F%2e%2e', undefined, 'application/zip', 'download.zip'],
  ['/%ff', undefined, 'application/zip', '%ff.zip'],
  ['/a', 'attachment; filename=x.tar.gz', 'application/gzip', 'x.tar.gz'],
  ['/a', 'attachment; filename="../../etc/passwd"', 'application/x', 'passwd.bin'],
  ['/a', 'attachment; filename="..\\\\..\\\\x.exe"', 'application/x', 'x.exe'],
  ['/a', 'attachment; filename="a\\"b.pdf"', 'application/pdf', 'a_b.pdf'],
  ['/a', `attachment; filename="e.pdf"; filename*=UTF-8''%e2%82%ac.pdf`, 'application/pdf', '€.pdf'],
  ['/a', 'attachment; filename=".bashrc"', 'application/x', 'bashrc.bin'],
  ['/a', 'attachment; filename="con.txt"', 'application/x', '_con.txt'],
  ['/a', 'attachment; filename="a\u0000\u009fb:c. "', 'application/x', 'a__b_c.bin'],
  ['/a', `attachment; filename="${'x'.repeat(300)}.pdf"`, 'application/pdf', `${'x'.repeat(60)}.pdf`],
  ['/a', 'inline', 'application/pdf', 'a.pdf'],
  ['/a', `attachment; filename*=UTF-8''invoice%e2%80%aefdp.exe`, 'application/pdf', 'invoicefdp.exe'],
  ['/a', `attachment; filename*=UTF-8''con%e2%80%8b.txt%e2%80%a8`, 'application/x', '_con.txt'],
  ['/a%f3%a0%81%a1%e2%81%a6', undefined, 'application/pdf', 'a.pdf'],
])('%s with %j of %s is saved as %s', (target, disposition, mediaType, want) => {
  const headers = {
    'content-type': mediaType,
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
  };
  expect(fileNameForAnswer({ target }, headers)).toBe(want);
});
