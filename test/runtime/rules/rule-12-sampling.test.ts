// Rule 12: in what a model is asked, tool uses are answered by a message of tool results only.
import { expect, test } from 'vitest';
import type { SampleMessage } from '../../../templates/runtime/types.ts';
import type { JsonObject } from '../../../templates/runtime/types.ts';
import { asked } from './asking.ts';
import { inEach, plain } from './speaking.ts';

const words = { type: 'text', text: 'hi' };
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} });
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [words] });
const user = (...content: JsonObject[]): SampleMessage => ({ role: 'user', content });
const model = (...content: JsonObject[]): SampleMessage => ({ role: 'assistant', content });

const WITH_TOOLS = ['2025-11-25', '2026-07-28'] as const;

async function sampled(revision: string, messages: SampleMessage[]) {
  const can = { sampling: { tools: {} } };
  const answer = { role: 'assistant', model: 'm', content: words };
  return asked(revision, ({ sample }) => sample({ messages, maxTokens: 1, tools: [] }), can, answer);
}

test.each(
  inEach<[string, SampleMessage[]]>(WITH_TOOLS, [
    ['no tools', [user(words), model(words)]],
    ['one use and its result', [user(words), model(words, use('a')), user(result('a'))]],
    ['two uses, in another order', [model(use('a'), use('b')), user(result('b'), result('a'))]],
  ]),
)('%s: %s: asked', async (revision, _, messages) => {
  const { question } = await sampled(revision, messages);
  expect(question).toEqual({
    method: 'sampling/createMessage',
    params: { messages, maxTokens: 1, tools: [] },
  });
});

const ALONE = 'Tool results stand in messages of the user, with nothing else.';
const ANSWERED = 'Each tool use must be answered by a result in the next message.';

test.each(
  inEach<[string, SampleMessage[], string]>(WITH_TOOLS, [
    ['words beside a result', [model(use('a')), user(result('a'), words)], ALONE],
    ['a result of the model', [model(use('a')), model(result('a'))], ALONE],
    ['a use without result', [model(use('a')), user(words)], ANSWERED],
    ['the result of another use', [model(use('a')), user(result('b'))], ANSWERED],
    ['a result of nothing', [user(result('a'))], ANSWERED],
    ['a use at the end', [user(words), model(use('a'))], ANSWERED],
  ]),
)('%s: %s: not asked', async (revision, _, messages, message) => {
  const { question, reply, words: said, sent } = await sampled(revision, messages);
  expect([question, plain(reply.result)['isError'], said, sent]).toEqual([undefined, true, message, []]);
});
