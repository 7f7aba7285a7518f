/** LoopBack's file transfer: OpenAPI 3.0, files as multipart parts and as answers. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { bytesIn } from '../answer.mjs';
import { start } from '../../lib/start.mjs';
import { loopback, READY, tools } from './npm.mjs';

const UPLOAD = 'fileUpload_fileUpload';
const DOWNLOAD = 'fileDownload_downloadFile';

/** Every byte there is, so that anything that takes them for text shows. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const megabyte = Buffer.concat(Array.from({ length: 4096 }, () => everyByte));

const dataUri = (type, name, bytes) => `data:${type};name=${name};base64,${bytes.toString('base64')}`;
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

export const fileTransfer = {
  name: 'file-transfer',
  program: '@loopback/example-file-transfer 1.7.0',
  install: () => tools.install(),
  start: async (folder) => {
    const fileStorageDirectory = path.join(folder, 'files');
    mkdirSync(fileStorageDirectory);
    const home = tools.path('@loopback/example-file-transfer');
    const program = loopback(home, { fileStorageDirectory });
    const running = await start({ ...program, cwd: folder, ready: READY });
    return { ...running, document: `${running.url}/openapi.json` };
  },
  workflows: {
    readAll: {
      description: 'Reads all files of a name.',
      inputs: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      steps: [
        { id: 'names', call: 'fileDownload_listFiles' },
        {
          ...{ id: 'files', call: DOWNLOAD, arguments: { filename: '$item' } },
          forEach: '$steps.names[?@ == $inputs.name]',
        },
      ],
      result: { count: '$length($steps.names)', files: '$steps.files' },
    },
  },
  steps: {
    'upload a named file': async ({ call, ask }) => {
      const bytes = Buffer.from('Grüße\n');
      const { structuredContent } = await call(UPLOAD, { file: dataUri('text/plain', 'hello.txt', bytes) });
      const { fieldname, originalname, mimetype, size } = structuredContent.files[0];
      assert.deepEqual(
        { fieldname, originalname, mimetype, size },
        { fieldname: 'file', originalname: 'hello.txt', mimetype: 'text/plain', size: bytes.length },
      );
      assert.deepEqual((await ask('/files/hello.txt')).body, bytes);
    },
    'upload bare base64': async ({ call, ask, kept }) => {
      const { structuredContent } = await call(UPLOAD, { file: everyByte.toString('base64') });
      kept.name = structuredContent.files[0].originalname;
      assert.equal(structuredContent.files[0].size, 256);
      assert.deepEqual((await ask(`/files/${kept.name}`)).body, everyByte);
    },
    list: async ({ call, ask, kept }) => {
      const { structuredContent } = await call('fileDownload_listFiles');
      assert.deepEqual(structuredContent.result, (await ask('/files')).json);
      assert.ok(structuredContent.result.includes('hello.txt'));
      assert.ok(structuredContent.result.includes(kept.name));
    },
    'read (download)': async ({ call, kept }) => {
      assert.deepEqual(bytesIn(await call(DOWNLOAD, { filename: kept.name })), everyByte);
    },
    'a workflow': async ({ call, ask }) => {
      const { structuredContent } = await call('readAll', { name: 'hello.txt' });
      const count = (await ask('/files')).json.length;
      assert.deepEqual(structuredContent, { count, files: ['Grüße\n'] });
    },
    'upload and download a megabyte': async ({ call, ask }) => {
      await call(UPLOAD, { file: dataUri('application/x-blob', 'big%20blob.bin', megabyte) });
      assert.equal(hashOf((await ask('/files/big%20blob.bin')).body), hashOf(megabyte));
      assert.equal(hashOf(bytesIn(await call(DOWNLOAD, { filename: 'big blob.bin' }))), hashOf(megabyte));
    },
    'refuse what is no base64': async ({ refused, ask }) => {
      const before = (await ask('/files')).json;
      assert.match(await refused(UPLOAD, { file: '*no base64*' }), /base64/);
      assert.deepEqual((await ask('/files')).json, before);
    },
    'stay in the folder': async ({ refused }) => {
      assert.match(await refused(DOWNLOAD, { filename: '..' }), /filename/);
      assert.match(
        await refused(DOWNLOAD, { filename: '../data/db.json' }),
        /^Refused: an argument makes a segment/,
      );
    },
  },
};
