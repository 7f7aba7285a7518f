/** What real documents say, and the body that their tools send: from the text of a document to the binding. */
import { expect, test } from 'vitest';
import { compile } from '../../src/index.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

async function compileText(text: string) {
  const cwd = temporaryFolder();
  put(cwd, { 'api.yaml': text });
  const { model, diagnostics } = await compile({ source: 'api.yaml', cwd });
  const [tool] = model?.tools ?? [];
  if (tool?.binding.kind !== 'http') throw new Error(`no tool: ${JSON.stringify(diagnostics)}`);
  return { tool, body: tool.binding.body, problems: diagnostics.map(({ name }) => name) };
}

const bytes = 'Bytes as base64 or as a data: URI.';

test.each([
  ['3.0.3', 'application/octet-stream', '{type: string, format: byte}', 'binary', bytes],
  ['3.0.3', 'application/octet-stream', '{type: string, format: binary}', 'binary', bytes],
  ['3.0.3', 'image/png', '{type: string, format: byte}', 'binary', bytes],
  ['3.0.3', 'application/octet-stream', '{type: string, format: base64}', 'text', undefined],
  ['3.1.0', 'application/octet-stream', '{type: string, contentEncoding: base64}', 'text', undefined],
])('OpenAPI %s: %s with %s is sent as %s', async (version, type, schema, kind, description) => {
  const { tool, body } = await compileText(`openapi: ${version}
info: {title: A, version: '1'}
servers: [{url: 'https://a.example.com'}]
paths: {/a: {put: {operationId: put, requestBody: {required: true, content: {${type}: {schema: ${schema}}}}, responses: {'200': {description: ok}}}}}
`);
  expect(body).toMatchObject({ mediaType: type, kind });
  expect(tool.inputSchema.properties?.['body']).toMatchObject({
    type: 'string',
    ...(description === undefined ? { contentEncoding: 'base64' } : { description }),
  });
});

test('Swagger 2.0: format: byte as a whole body of bytes is decoded', async () => {
  const { body } = await compileText(`swagger: '2.0'
info: {title: A, version: '1'}
host: a.example.com
paths: {/a: {put: {operationId: put, consumes: [application/octet-stream], parameters: [{in: body, name: b, schema: {type: string, format: byte}}], responses: {'200': {description: ok}}}}}
`);
  expect(body?.kind).toBe('binary');
});
