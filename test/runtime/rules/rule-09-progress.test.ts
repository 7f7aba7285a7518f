// Rule 9: progress, and what a cancelled request is.
// Over modern HTTP `notifications/cancelled` cancels nothing: ../transports.test.ts.
// A handler that never hears of it: ../core/misbehaving.test.ts.
import { afterEach, expect, test, vi } from 'vitest';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import { hello, newServer } from '../harness.ts';
import { answered, done, held, isHttp, isModern, type Line, LINES, open } from './lines.ts';
import { gate } from '../client.ts';
import { REQUESTS, type Work } from './subject.ts';

afterEach(() => {
  vi.useRealTimers();
});

const steps: Work = async ({ progress }) => {
  await progress(1, 4, 'one');
  await progress(1);
  await progress(0.5);
  await progress(4, 4);
  return 'done';
};

const progressed = (params: object) => ({ jsonrpc: '2.0', method: 'notifications/progress', params });

test.each(LINES)('$transport, $revision: progress rises, for the token that was given', async (line) => {
  const { request, tell, inbox } = await open(line, { work: steps });
  const message = line.revision >= '2025-03-26' ? { message: 'one' } : {};
  for (const [method, params] of Object.values(REQUESTS))
    for (const progressToken of ['t', '', 0, 7]) {
      inbox.clear();
      const status = tell(request('call', method, { ...params, _meta: { progressToken } }));
      await inbox.answerTo('call');
      expect([await status, inbox.messages]).toEqual([
        answered(line),
        [
          progressed({ progressToken, progress: 1, total: 4, ...message }),
          progressed({ progressToken, progress: 4, total: 4 }),
          expect.objectContaining({ id: 'call', result: expect.any(Object) as object }),
        ],
      ]);
    }
});

test.each(LINES)('$transport, $revision: without a token there is none', async (line) => {
  const { request, ask, silence, ran } = await open(line, { work: steps });
  const tokens = [undefined, null, {}, [], true, 1.5];
  for (const progressToken of tokens) {
    const { status, reply } = await ask(
      request('call', 'tools/call', { name: 'x', _meta: { progressToken } }),
    );
    expect([status, reply]).toMatchObject([answered(line), { id: 'call', result: done }]);
  }
  expect([(await silence()).length, ran()]).toEqual([tokens.length, tokens.length]);
});

test.each(LINES)('$transport, $revision: progress comes at most so often', async (line) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const work: Work = async ({ progress }) => {
    for (let step = 1; step <= 10; step++) await progress(step);
    vi.setSystemTime(Date.now() + 1_000);
    for (let step = 11; step <= 20; step++) await progress(step);
    return 'done';
  };
  const { request, tell, inbox } = await open(line, { work, parts: { limits: { progressPerSecond: 3 } } });
  const call = tell(request('call', 'tools/call', { name: 'x', _meta: { progressToken: 't' } }));
  await inbox.answerTo('call');
  await call;
  const sent = inbox.messages.slice(0, -1) as { params: { progress: number } }[];
  expect(sent.map(({ params }) => params.progress)).toEqual([1, 2, 3, 11, 12, 13]);
});

/** Cancels what `call` has asked, as the line has it. */
const cancels = (line: Line) => !(line.transport === 'http' && isModern(line));
const cancelled = (requestId: unknown, reason?: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, ...(reason === undefined ? {} : { reason }) },
});

/** Work that ends when it is stopped, and then says what it can. */
function stopped() {
  const { open: begin, opened: began } = gate();
  const seen: { signal?: AbortSignal; over?: Promise<void> } = {};
  const work: Work = ({ signal, log, progress }) => {
    seen.signal = signal;
    begin();
    const over = new Promise((resolve) => signal.addEventListener('abort', resolve)).then(async () => {
      await log('error', 'late');
      await progress(1);
    });
    seen.over = over;
    return over.then(() => 'late');
  };
  return { seen, began, work };
}

const TOLD = { progressToken: 't', 'io.modelcontextprotocol/logLevel': 'debug' };

test.each(LINES.filter(cancels))(
  '$transport, $revision: what is cancelled stops, unanswered',
  async (line) => {
    for (const [method, params] of Object.values(REQUESTS)) {
      const { seen, began, work } = stopped();
      const { request, tell, silence, reported } = await open(line, { work });
      const call = tell(request('call', method, { ...params, _meta: TOLD }));
      await began;
      expect(await tell(cancelled('call', 'changed my mind'))).toBe(isHttp(line) ? 202 : undefined);
      await seen.over;
      expect(String(seen.signal?.reason)).toBe('AbortError: changed my mind');
      expect([await silence(), reported]).toEqual([[], []]);
      expect(await call).toBe(answered(line));
    }
  },
);

test.each(LINES)('$transport, $revision: to cancel what is not there does nothing', async (line) => {
  const { release, work } = held();
  let signal: AbortSignal | undefined;
  const { request, tell, inbox, silence, ran } = await open(line, {
    work: (context, args) => {
      ({ signal } = context);
      return work(context, args);
    },
  });
  const call = tell(request(1, 'tools/call', { name: 'x' }));
  await expect.poll(ran, { interval: 2 }).toBe(1);
  const nothing = [...['1', 2, 'none', '', null, 1.5, true, {}, [1], undefined].map((id) => cancelled(id))];
  for (const message of [...nothing, { jsonrpc: '2.0', method: 'notifications/cancelled' }])
    expect(await tell(message)).toBe(isHttp(line) ? 202 : undefined);
  expect([signal?.aborted, await silence()]).toEqual([false, []]);
  release();
  expect(await inbox.answerTo(1)).toMatchObject({ result: done });
  await call;
  inbox.clear();
  // Nor what has been answered.
  await tell(cancelled(1));
  expect([signal?.aborted, await silence()]).toEqual([false, []]);
});

test.each(LEGACY_REVISIONS)('%s: `initialize` can not be cancelled', async (revision) => {
  const server = newServer({ catalog: { prompts: [{ name: 'p' }] } });
  const answer = server.send({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: hello(revision) });
  await server.notify('notifications/cancelled', { requestId: 'i' });
  expect(await answer).toMatchObject({ id: 'i', result: { protocolVersion: revision } });
  expect((await server.ask('prompts/list')).error).toBeUndefined();
});
