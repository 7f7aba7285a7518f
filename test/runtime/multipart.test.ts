/** Heads of multipart bodies; `test/wire` has the parts. */
import { expect, test } from 'vitest';
import { api } from '../../templates/runtime/call-api.ts';
import { multipart } from '../../templates/runtime/features/multipart.ts';
import { type Received, requestOf } from './api.ts';

const send = (mediaType: string, body: object): Promise<Received | string> =>
  requestOf(
    {
      features: [api(), multipart()],
      binding: { method: 'POST', body: { kind: 'multipart', mediaType, argument: 'body' } },
    },
    { body },
  );

test.each([
  ['multipart/related', [{ a: 1 }, 'x'], 'multipart/related; type="application/json"; boundary='],
  ['multipart/related', ['x'], 'multipart/related; type="text/plain"; boundary='],
  ['multipart/related; type=text/html', ['x'], 'multipart/related; type=text/html; boundary='],
  ['multipart/mixed', ['x'], 'multipart/mixed; boundary='],
])('%s says the type of its first part: %j', async (mediaType, body, start) => {
  const request = (await send(mediaType, body)) as Received;
  expect(String(request.headers['content-type']).slice(0, start.length)).toBe(start);
});

test('a list without names is refused as a form', async () => {
  expect(await send('multipart/form-data', [{ a: '1' }])).toBe(
    "A list can't be sent as multipart/form-data, whose parts have names: the API's document names none.",
  );
});
