/** A handler that asks, and a client that answers, as each revision does it. */
import { setImmediate } from 'node:timers/promises';
import type { Reply, ServerParts } from '../harness.ts';
import { isModernRevision, speaking, type Speaking } from './speaking.ts';
import { REQUESTS, subject, type Work } from './subject.ts';

export interface Question {
  method: string;
  params?: Record<string, unknown>;
}

export interface Asked extends Speaking {
  /** The question to the client; undefined: none. */
  question: Question | undefined;
  reply: Reply;
  /** The words of the result. */
  words: string;
}

/** Calls the tool `x`; what it asks is answered by `answer`. */
export async function asked(
  revision: string,
  work: Work,
  capabilities: object,
  answer: object = {},
  parts: ServerParts = {},
): Promise<Asked> {
  const server = await speaking(revision, subject(work, parts), capabilities);
  const [question, reply] = isModernRevision(revision)
    ? await byRounds(server, answer)
    : await byRequests(server, answer);
  const { content = [] } = (reply.result ?? {}) as { content?: { text: string }[] };
  return { ...server, question, reply, words: content.map(({ text }) => text).join('\n') };
}

async function byRounds({ put }: Speaking, answer: object): Promise<[Question | undefined, Reply]> {
  const [method, params] = REQUESTS.call;
  const first = await put(method, params);
  const { inputRequests, requestState } = first.result ?? {};
  if (inputRequests === undefined) return [undefined, first];
  const [key = '', question] = Object.entries(inputRequests as Record<string, Question>)[0] ?? [];
  return [question, await put(method, { ...params, requestState, inputResponses: { [key]: answer } })];
}

async function byRequests(server: Speaking, answer: object): Promise<[Question | undefined, Reply]> {
  let isAnswered = false;
  const reply = server.put(...REQUESTS.call).finally(() => (isAnswered = true));
  const isRequest = (message: object) => 'id' in message;
  while (!isAnswered && !server.sent.some(isRequest)) await setImmediate();
  const request = server.sent.find(isRequest) as (Question & { id: unknown }) | undefined;
  if (request === undefined) return [undefined, await reply];
  const { id, method, params } = request;
  await server.send({ jsonrpc: '2.0', id, result: answer });
  return [{ method, ...(params === undefined ? {} : { params }) }, await reply];
}
