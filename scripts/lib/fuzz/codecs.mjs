import fc from 'fast-check';
import { cuts, pieces, textOf } from './texts.mjs';

/** However a stream of events is cut, the same events come of it. */
export async function events(load) {
  const { sequences } = await load('templates/runtime/features/sequences');
  const { sequences: read } = sequences().parts.answers;
  const request = { server: { env: {}, features: [] }, session: {}, agreement: {}, params: {} };
  const use = { call: { request, work: {} }, request: { method: 'GET' }, responseBytes: 1_000_000 };
  const itemsOf = async (parts) => {
    const chunks = (async function* () {
      yield* parts;
    })();
    const headers = { 'content-type': 'text/event-stream' };
    const { body } = await read({ status: 200, headers, chunks, close: () => undefined }, use);
    return String(body);
  };
  const text = textOf(
    [
      'data: a',
      'data:',
      'event: x',
      'id: 1',
      'id: a\u0000b',
      'retry: 5',
      ': comment',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\ufeff',
    ],
    20,
  );
  return fc.asyncProperty(text, cuts, async (whole, places) => {
    const bytes = Buffer.from(whole);
    same(await itemsOf(pieces(bytes, places)), await itemsOf([bytes]));
  });
}

function same(one, other) {
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`${JSON.stringify(one)} is not ${JSON.stringify(other)}`);
}
