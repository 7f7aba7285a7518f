// Rule 8: pages of lists, by cursors that mean nothing to clients, in an order that stays.
import { expect, test } from 'vitest';
import type { Handlers } from '../../../templates/runtime/types.ts';
import { answered, failure, LINES, open } from './lines.ts';
import { LISTS } from './subject.ts';

const NAMES = ['e', 'a', 'd', 'b', 'c'];
const each = <T>(nameOf: (name: string) => string, value: (name: string) => T) =>
  Object.fromEntries(NAMES.map((name) => [nameOf(name), value(name)]));
const read = () => 'x';
const handlers: Handlers<object> = {
  extraTools: NAMES.map((name) => ({ name, inputSchema: { type: 'object' }, handler: read })),
  prompts: each(String, () => ({ handler: read })),
  resources: each(
    (name) => `own://${name}`,
    (name) => ({ name, read }),
  ),
  resourceTemplates: each(
    (name) => `own://${name}/{id}`,
    (name) => ({ name, read }),
  ),
};

const paged = { parts: { handlers, pageSize: 2 } };

interface Page {
  names: string[];
  nextCursor: unknown;
}

function pageOf(result: Record<string, unknown> = {}): Page {
  const { nextCursor, ...rest } = result;
  const items = Object.values(rest).find((value) => Array.isArray(value)) as { name: string }[];
  return { names: items.map(({ name }) => name), nextCursor };
}

const TWO_SERVERS = LINES.filter(({ transport }) => transport !== 'websocket');

test.each(TWO_SERVERS)('$transport, $revision: pages follow each other, whoever answers', async (line) => {
  const [one, other] = [await open(line, paged), await open(line, paged)];
  const ask = async (talk: typeof one, method: string, params: object) => {
    const { status, reply } = await talk.ask(talk.request(1, method, params));
    expect(status).toBe(answered(line));
    return pageOf(reply.result);
  };
  for (const method of LISTS) {
    const first = await ask(one, method, {});
    const second = await ask(other, method, { cursor: first.nextCursor });
    const third = await ask(one, method, { cursor: second.nextCursor });
    expect([first.names, second.names, third.names]).toEqual([['e', 'a'], ['d', 'b'], ['c']]);
    const cursors = [first, second, third].map(({ nextCursor }) => nextCursor);
    expect(cursors).toEqual([expect.any(String), expect.any(String), undefined]);
    // Stable: the same again, from the other and after all of them were used.
    expect(await ask(other, method, {})).toEqual(first);
    expect(await ask(one, method, { cursor: first.nextCursor })).toEqual(second);
  }
});

const FORGED = ['', '0', '2', 'x', 'é', '../..', 'x'.repeat(1000)];

test.each(LINES)('$transport, $revision: a forged cursor is refused', async (line) => {
  const { request, ask, ran } = await open(line, paged);
  for (const [index, method] of LISTS.entries()) {
    const cursor = String(pageOf((await ask(request(1, method))).reply.result).nextCursor);
    const next = LISTS[(index + 1) % LISTS.length] ?? '';
    const foreign = String(pageOf((await ask(request(1, next))).reply.result).nextCursor);
    const flipped = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const forged of [...FORGED, foreign, flipped, `${cursor}=`, ` ${cursor}`, cursor.slice(1)])
      expect(await ask(request(2, method, { cursor: forged }))).toEqual({
        status: answered(line),
        reply: failure(-32602, '`cursor` must be one that this server gave for this list.', 2),
      });
    expect(await ask(request(2, method, { cursor: 'x'.repeat(1001) }))).toEqual({
      status: answered(line),
      reply: failure(-32602, '`cursor` may have 1000 characters at most.', 2),
    });
    for (const cursor of [7, null, {}, [], true])
      expect(await ask(request(3, method, { cursor }))).toEqual({
        status: answered(line),
        reply: failure(-32602, '`cursor` must be one that this server gave for this list.', 3),
      });
  }
  expect(ran()).toBe(0);
});
