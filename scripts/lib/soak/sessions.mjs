/** Many sessions at once, some of whose clients vanish amid a stream and come back for the rest. */
import { request } from 'node:http';

import { HttpConnection } from '../bench-runtime/http-connection.mjs';
import { callOf, checkAnswer } from '../bench-runtime/messages.mjs';
import { callText, endSession, openSession, streamed } from './server.mjs';

const vanishing = 0.05;

/**
 * @param {URL} url
 * @param {{ sessions: number, calls: number, random: import('./random.mjs').Random }} settings
 * @returns {Promise<{ calls: number, streams: number, resumptions: number, ms: number }>}
 * @throws when an answer is wrong, or a message is missing, doubled or out of order
 */
export async function soakSessions(url, { sessions, calls, random }) {
  const start = performance.now();
  const counts = { calls: 0, streams: 0, resumptions: 0 };
  const each = Math.ceil(calls / sessions);
  const opened = await Promise.all(Array.from({ length: sessions }, () => openSession(url)));
  await Promise.all(
    opened.map(async (session) => {
      for (let id = 1; id <= each; id++) {
        if (random.chance(vanishing)) await streamAndVanish(url, session, id, random, counts);
        else await call(url, session, id);
        counts.calls++;
      }
    }),
  );
  await Promise.all(opened.map((session) => endSession(url, session)));
  return { ...counts, ms: performance.now() - start };
}

async function call(url, session, id) {
  const connection = await HttpConnection.open(url, session);
  const { message } = await connection.post(callOf(id));
  connection.close();
  if (checkAnswer(message) !== id) throw new Error(`The call ${id} got the answer of another.`);
}

/** Breaks off after some messages, comes back, breaks off again, until all is there. */
async function streamAndVanish(url, session, id, random, counts) {
  counts.streams++;
  const received = [];
  let last;
  while (!received.some(isResult)) {
    const most = 1 + random.below(3);
    last = await readStream(url, session, last, last === undefined ? callText(id, 'stream') : undefined, {
      most,
      take: (text) => received.push(JSON.parse(text)),
    });
    if (last === undefined) throw new Error('A stream has no event ids to resume it by.');
    counts.resumptions++;
  }
  counts.resumptions--;
  const steps = received.filter((message) => !isResult(message)).map(({ params }) => params.data);
  const wanted = Array.from({ length: streamed }, (_, index) => index + 1);
  const isWhole = JSON.stringify(steps) === JSON.stringify(wanted) && isResult(received.at(-1));
  if (!isWhole || received.length !== streamed + 1 || received.at(-1).id !== id) {
    throw new Error(`A stream was not delivered once and in order: ${JSON.stringify(received)}`);
  }
}

function isResult(message) {
  return 'result' in message;
}

/** Reads up to `most` messages and breaks off. Resolves to the id of the last event. */
function readStream(url, session, lastEventId, body, { most, take }) {
  const headers = {
    ...session,
    accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A stream was refused: ${response.statusCode}`));
      let text = '';
      let last = lastEventId;
      let taken = 0;
      const stop = () => {
        resolve(last);
        sent.destroy();
      };
      response.setEncoding('utf8').on('data', (chunk) => {
        const events = (text + chunk).split('\n\n');
        text = events.pop();
        for (const event of events) {
          if (taken === most) return;
          last = /^id: (.*)$/m.exec(event)?.[1] ?? last;
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (data === undefined) continue;
          take(data);
          taken++;
          if (taken === most) return stop();
        }
      });
      response.on('end', stop).on('error', () => resolve(last));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
