// JSON texts that follow each other where the document describes one: what Docker's engine does.
import { expect, onTestFinished, test } from 'vitest';
import { serveDocument } from './serve-document.ts';

const event = { type: 'object', properties: { Type: { type: 'string' } } };

const document = {
  openapi: '3.0.3',
  info: { title: 'Engine', version: '1' },
  servers: [{ url: 'http://engine.test' }],
  paths: {
    '/events': {
      get: {
        operationId: 'events',
        summary: 'Events of the engine',
        responses: {
          200: {
            description: 'Each event.',
            content: { 'application/json': { schema: event } },
          },
        },
      },
    },
  },
};

function respond(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

test.each<[string, string, unknown]>([
  [
    'several',
    '{"Type":"image"}\n{"Type":"container"}\n',
    { result: [{ Type: 'image' }, { Type: 'container' }] },
  ],
  ['one', '{"Type":"image"}\n', { Type: 'image' }],
])('the structure of %s', async (_, body, want) => {
  const served = await serveDocument(document, () => respond(body));
  onTestFinished(served.close);
  const { text, isError } = await served.call('events', {});
  expect(isError).toBe(false);
  expect(JSON.parse(text)).toMatchObject({ result: { structuredContent: want } });
});
