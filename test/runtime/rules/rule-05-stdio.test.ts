// Rule 5: messages on stdio, one a line.
// Nothing else on stdout, the end of stdin, SIGTERM: ../main/run.test.ts. Back-pressure, draining: ../transports/stdio.test.ts.
import { describeTooLong } from '../../../templates/runtime/transports/stdio.ts';
import { expect, test } from 'vitest';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../../templates/runtime/protocol/revisions.ts';
import { type ServerParts, hello } from '../core/harness.ts';
import { Inbox } from './inbox.ts';
import { done, failure, openStdio } from './lines.ts';
import { metaOf, subject, type Work } from './subject.ts';

const REVISIONS = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];

/** A server on stdio that takes bytes as they come, and the lines it wrote. */
async function start(
  revision: string,
  { work, limits }: { work?: Work; limits?: ServerParts['limits'] } = {},
) {
  const { server, ran } = subject(work, { limits: { stdioDrainMs: 1, ...limits } });
  const inbox = new Inbox();
  const { write, tell, lines } = await openStdio(server, inbox);
  const isModern = MODERN_REVISIONS.some((each) => each === revision);
  const meta = isModern ? { _meta: metaOf({ 'io.modelcontextprotocol/logLevel': 'debug' }) } : {};
  const call = (id: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', ...meta } });
  if (!isModern) {
    await tell({ jsonrpc: '2.0', id: 'open', method: 'initialize', params: hello(revision) });
    await inbox.reach(1);
    await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    inbox.clear();
    lines.length = 0;
  }
  return { write, call, inbox, lines, ran };
}

const answer = (id: unknown) => ({ jsonrpc: '2.0', id, result: expect.objectContaining(done) as object });

test.each(REVISIONS)('%s: each line is a message, however it comes', async (revision) => {
  const { write, call, inbox, ran } = await start(revision);
  write(`${call(1)}\n${call(2)}\n`);
  const text = `${call(3)}\r\n`;
  for (const part of [text.slice(0, 5), text.slice(5, 40), text.slice(40)]) write(part);
  write(`\n\r\n  \n${call(4)}\n${call(5).slice(0, 7)}`);
  write(`${call(5).slice(7)}\n`);
  await inbox.reach(5);
  expect(new Set(inbox.messages)).toEqual(new Set([1, 2, 3, 4, 5].map(answer)));
  expect(ran()).toBe(5);
});

test.each(REVISIONS)('%s: a message with a line break inside is two broken ones', async (revision) => {
  const { write, call, inbox, ran } = await start(revision);
  write(`${call(1).replace(',', ',\n')}\n${call(2)}\n`);
  const broken = failure(-32700, 'The message is not JSON.');
  await inbox.reach(3);
  expect([inbox.messages, ran()]).toEqual([[broken, broken, answer(2)], 1]);
});

test.each(REVISIONS)('%s: no line break is written inside a message', async (revision) => {
  const text = 'a\nb\r\nc\rd';
  const work: Work = async ({ log }) => {
    await log('error', text, text);
    return text;
  };
  const { write, call, inbox, lines } = await start(revision, { work });
  write(`${call(text)}\n`);
  const { result } = await inbox.answerTo(text);
  expect(result).toMatchObject({ content: [{ text }] });
  expect(lines.map((line) => /[\r\n]/.test(line))).toEqual([false, false]);
  expect(inbox.messages).toMatchObject([{ params: { data: text, logger: text } }, { id: text }]);
});

test.each(REVISIONS)('%s: a character may come byte by byte', async (revision) => {
  const { write, call, inbox } = await start(revision);
  const id = 'äß€😀\u2028';
  for (const byte of Buffer.from(`${call(id)}\n`)) write(Uint8Array.of(byte));
  await inbox.reach(1);
  expect(inbox.messages).toEqual([answer(id)]);
});

test.each(REVISIONS)('%s: a line over the limit is refused, and the next one served', async (revision) => {
  const { write, call, inbox, ran } = await start(revision, { limits: { lineBytes: 500 } });
  const tooLong = failure(-32600, describeTooLong(500));
  const long = call('x'.repeat(500));
  // The end of the long line would be a message by itself.
  const chunked = [long.slice(0, 100), long.slice(100), call('inside'), '\n'];
  const rows: (string | string[])[] = [`${long}\n`, chunked, `${long}\n${long}\n`];
  for (const [index, row] of rows.entries()) {
    for (const chunk of [row].flat()) write(chunk);
    write(`${call(index)}\n`);
    await inbox.answerTo(index);
  }
  expect(inbox.messages).toEqual([tooLong, answer(0), tooLong, answer(1), tooLong, tooLong, answer(2)]);
  expect(ran()).toBe(3);
});
