// Rule 14: a request state is of one method and one subject, each of them alone deciding; no two are alike; and what is
// refused, is refused on every transport. Parameters, time and signature: rule-14-rounds.test.ts.
import { expect, test } from 'vitest';
import { META } from '../../../templates/runtime/json-rpc.ts';
import type { Reply } from '../harness.ts';
import { answered, done, failure, MODERN_LINES, open } from './lines.ts';
import { metaOf, REQUESTS, subject, type Work } from './subject.ts';

const CAN = { roots: {} };
const can = { [`${META}clientCapabilities`]: CAN };
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

test('a state is of one method, also where the parameters are the same', async () => {
  // A tool and a prompt that are asked for in the same words.
  const tool = { name: 'p', inputSchema: { type: 'object' as const }, handler: () => 'done' };
  const { modern, ran } = subject(asking, { handlers: { extraTools: [tool] } });
  const [, params] = REQUESTS.prompt;
  const { requestState } = (await modern('prompts/get', params, can)).result as Round;
  const more = { ...params, requestState, inputResponses };
  expect((await modern('tools/call', more, can)).error).toEqual({ code: -32602, message: WORDS });
  expect(ran()).toBe(1);
  expect((await modern('prompts/get', more, can)).result).toMatchObject({ resultType: 'complete' });
});

test('a state is of the subject that was given it', async () => {
  const { deliver, ran } = subject(asking);
  const call = async (who: string | undefined, more: object = {}): Promise<Reply> => {
    const params = { ...REQUESTS.call[1], ...more, _meta: metaOf(can) };
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const reply = await deliver(request, { subject: who });
    if (reply === undefined) throw new Error('not answered by one message');
    return reply;
  };
  const SUBJECTS = ['ada', 'eve', undefined];
  for (const owner of SUBJECTS) {
    const { requestState } = (await call(owner)).result as Round;
    const before = ran();
    for (const foreign of SUBJECTS.filter((each) => each !== owner))
      expect((await call(foreign, { requestState, inputResponses })).error).toEqual({
        code: -32602,
        message: WORDS,
      });
    expect(ran()).toBe(before);
    expect((await call(owner, { requestState, inputResponses })).result).toMatchObject(done);
  }
});

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
