// Rule 14: a request state that is refused, is refused on every transport. Parameters, time and signature:
// rule-14-rounds.test.ts. Methods and subjects: the families `request state` and `callers` of the attack table.
import { expect, test } from 'vitest';
import { answered, done, failure, MODERN_LINES, open } from './lines.ts';
import { REQUESTS, type Work } from './subject.ts';

const CAN = { roots: {} };
const asking: Work = async ({ roots }) => {
  await roots({ key: 'where' });
  return 'done';
};
const inputResponses = { where: { roots: [] } };
const WORDS =
  '`requestState` is not of this request, too old, or used already: send the request again without it.';

interface Round {
  requestState?: string;
  content?: object[];
}

test.each(MODERN_LINES)('$transport: what is refused is never asked afresh', async (line) => {
  const { request, ask, ran } = await open(line, { work: asking, capabilities: CAN });
  const call = async (id: number, more: object) =>
    ask(request(id, 'tools/call', { ...REQUESTS.call[1], ...more }));
  const { requestState = '' } = (await call(1, {})).reply.result as Round;
  const refused = async (id: number, more: object, message: string) =>
    expect(await call(id, more)).toEqual({ status: answered(line), reply: failure(-32602, message, id) });
  await refused(2, { requestState: `${requestState.slice(0, -2)}..`, inputResponses }, WORDS);
  await refused(3, { requestState, inputResponses, other: 1 }, WORDS);
  await refused(4, { requestState, inputResponses: [] }, '`inputResponses` must be an object.');
  expect(ran()).toBe(1);
  const { status, reply } = await call(5, { requestState, inputResponses });
  expect([status, reply.result]).toEqual([answered(line), expect.objectContaining(done)]);
});
