/** Many sessions at once, some of whose clients vanish amid a stream and come back for the rest. */
import { request } from 'node:http';

import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { callOf, checkAnswer } from '../bench-runtime/messages.mjs';
import { callText, endSession, openSession } from './transports.mjs';

const VANISHING = 0.05;

/** Messages that a call of `stream` sends before its result. */
export const STREAMED = 8;

/** Throws when an answer is wrong, or a message is missing, doubled or out of order. */
export async function soakSessions(url, { sessions, calls, random }) {
  const opened = await Promise.all(Array.from({ length: sessions }, () => openSession(url)));
  await Promise.all(
    opened.map(async (session) => {
      for (let id = 1; id <= Math.ceil(calls / sessions); id++) {
        if (random.chance(VANISHING)) await streamAndVanish(url, session, id, random);
        else await call(url, session, id);
      }
    }),
  );
  await Promise.all(opened.map((session) => endSession(url, session)));
}

async function call(url, session, id) {
  const connection = await HttpConnection.open(url, session);
  const { message } = await connection.post(callOf(id));
  connection.close();
  if (checkAnswer(message) !== id) throw new Error(`The call ${id} got the answer of another.`);
}

/** Breaks off after some messages, comes back, breaks off again, until all is there. */
async function streamAndVanish(url, session, id, random) {
  const messages = [];
  let last;
  do {
    const body = last === undefined ? callText(id, 'stream') : undefined;
    last = await readStream(url, { session, last, body, most: 1 + random.below(3) }, messages);
    if (last === undefined) throw new Error('A stream has no event ids to resume it by.');
  } while (!messages.some(({ result }) => result !== undefined));
  const delivered = messages.map((message) => message.params?.data ?? `result of ${message.id}`);
  const wanted = [...Array.from({ length: STREAMED }, (_, index) => index + 1), `result of ${id}`];
  if (delivered.join() !== wanted.join())
    throw new Error(`A stream was not delivered once and in order: ${JSON.stringify(messages)}`);
}

/** Reads up to `most` messages and breaks off. Resolves to the id of the last event. */
function readStream(url, { session, last, body, most }, messages) {
  const headers = {
    ...session,
    accept: 'application/json, text/event-stream',
    ...(body === undefined ? { 'last-event-id': last } : { 'content-type': 'application/json' }),
  };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A stream was refused: ${response.statusCode}`));
      let [text, id, taken] = ['', last, 0];
      const stop = () => {
        resolve(id);
        sent.destroy();
      };
      response.setEncoding('utf8').on('data', (chunk) => {
        const events = (text + chunk).split('\n\n');
        text = events.pop();
        for (const event of events) {
          if (taken === most) return;
          id = /^id: (.*)$/m.exec(event)?.[1] ?? id;
          const [, data] = /^data: (.*)$/m.exec(event) ?? [];
          // The first event has a place to resume from, and no message.
          if (!data) continue;
          messages.push(JSON.parse(data));
          if (++taken === most) return stop();
        }
      });
      response.on('end', stop).on('error', () => resolve(id));
    });
    sent.on('error', reject).end(body);
  });
}
