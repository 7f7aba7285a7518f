/** Headers of answers that results show: those that the document declares, however it does, and versions that a later call takes. */
import { expect, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';

async function resultOf(headers: object, parameters: object[] = []) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Headers', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/x': {
        get: { operationId: 'read', responses: { 200: { description: 'ok', headers } } },
        put: { operationId: 'write', parameters, responses: { 204: { description: 'ok' } } },
      },
    },
  };
  const stdin = () => Promise.resolve(Buffer.from(JSON.stringify(document)));
  const { model } = await compile({ source: '-', stdin });
  return (model?.tools.find(({ name }) => name === 'read')?.binding as { result?: unknown }).result;
}

test('a version is shown where it is declared, or where an operation takes it', async () => {
  expect(await resultOf({})).toBeUndefined();
  expect(await resultOf({ ETag: { description: 'The version.' } })).toEqual({ headers: { 200: ['etag'] } });
  const condition = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
  expect(await resultOf({}, [condition])).toEqual({ showsVersion: true });
});
