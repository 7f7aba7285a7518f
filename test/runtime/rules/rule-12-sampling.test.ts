// Rule 12: in what a model is asked, tool uses are answered by a message of tool results only.
import { expect, test } from 'vitest';
import type { SampleMessage } from '../../../templates/runtime/definition.ts';
import { META } from '../../../templates/runtime/protocol/era.ts';
import type { JsonObject } from '../../../templates/runtime/schema/json-schema.ts';
import { REQUESTS, subject } from './subject.ts';

const words = { type: 'text', text: 'hi' };
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} });
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [words] });
const user = (...content: JsonObject[]): SampleMessage => ({ role: 'user', content });
const model = (...content: JsonObject[]): SampleMessage => ({ role: 'assistant', content });

async function sampled(messages: SampleMessage[]): Promise<Record<string, unknown>> {
  const { modern, sent } = subject(({ sample }) => sample({ messages, maxTokens: 1, tools: [] }));
  const can = { [META.clientCapabilities]: { sampling: { tools: {} } } };
  const answer = await modern(...REQUESTS.call, can);
  expect(sent).toEqual([]);
  return answer.result ?? {};
}

test.each<[string, SampleMessage[]]>([
  ['no tools', [user(words), model(words)]],
  ['one use and its result', [user(words), model(words, use('a')), user(result('a'))]],
  ['two uses, in another order', [model(use('a'), use('b')), user(result('b'), result('a'))]],
  ['one content that is no list', [{ role: 'user', content: words }]],
])('%s: asked', async (_, messages) => {
  expect(await sampled(messages)).toMatchObject({ resultType: 'input_required' });
});

test.each<[string, SampleMessage[], RegExp]>([
  ['words beside a result', [model(use('a')), user(result('a'), words)], /with nothing else/],
  ['a result of the model', [model(use('a')), model(result('a'))], /messages of the user/],
  ['a use without result', [model(use('a')), user(words)], /must be answered/],
  ['one of two uses without result', [model(use('a'), use('b')), user(result('a'))], /must be answered/],
  ['the result of another use', [model(use('a')), user(result('b'))], /must be answered/],
  ['a result of nothing', [user(result('a'))], /must be answered/],
  ['a use at the end', [user(words), model(use('a'))], /must be answered/],
])('%s: not asked', async (_, messages, reason) => {
  const { isError, content } = await sampled(messages);
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringMatching(reason)]);
});
