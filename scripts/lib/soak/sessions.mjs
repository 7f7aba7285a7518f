/** Many sessions at once, some of whose clients vanish amid a stream and come back for the rest. */
import { describe, RawSession, resultOf } from '../nodes/raw-client.mjs';

const VANISHING = 0.05;

/** Messages that a call of `stream` sends before its result. */
export const STREAMED = 8;

/** Throws when an answer is wrong, or a message is missing, doubled or out of order. */
export async function soakSessions(url, { sessions, calls, random }) {
  const opened = await Promise.all(Array.from({ length: sessions }, () => RawSession.open(url)));
  await Promise.all(
    opened.map(async (session) => {
      for (let number = 1; number <= Math.ceil(calls / sessions); number++) {
        if (random.chance(VANISHING)) await streamAndVanish(session, random);
        else await call(session, number);
      }
    }),
  );
  await Promise.all(opened.map(endSession));
}

export async function endSession(session) {
  const ended = await session.exchange({ method: 'DELETE', isAlone: true });
  if (ended.status !== 204) throw new Error(`A session was not ended: ${describe(ended)}`);
}

async function call(session, number) {
  const called = await session.call('add', { a: number, b: 1 }, { isAlone: true });
  if (resultOf(called)?.structuredContent?.sum !== number + 1)
    throw new Error(`The call ${number} got ${describe(called)}`);
}

/** Breaks off after some messages, comes back, breaks off again, until all is there. */
async function streamAndVanish(session, random) {
  const messages = [];
  const message = session.request('tools/call', { name: 'stream', arguments: {} });
  let last;
  do {
    let missing = 1 + random.below(3);
    const take = (received, _, stop) => {
      messages.push(received);
      if (--missing <= 0) stop();
    };
    const stream = await (last === undefined
      ? session.exchange({ message, take, isAlone: true })
      : session.listen(last, { take }));
    if (stream.last === undefined)
      throw new Error(`A stream has no event ids to resume it by: ${describe(stream)}`);
    last = stream.last;
  } while (!messages.some(({ result }) => result !== undefined));
  const delivered = messages.map(({ params, id }) => params?.data ?? `result of ${id}`);
  const wanted = [...Array.from({ length: STREAMED }, (_, index) => index + 1), `result of ${message.id}`];
  if (delivered.join() !== wanted.join())
    throw new Error(`A stream was not delivered once and in order: ${JSON.stringify(messages)}`);
}
