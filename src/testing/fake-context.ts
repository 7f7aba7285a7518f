/** A `Context` without a server: it takes what functions tell, and asks the test in the client's place. */
import type { Call } from '../../templates/runtime/feature.ts';
import { type Asker, makeQuestions } from '../../templates/runtime/features/ask/questions.ts';
import { LEGACY_REVISIONS } from '../../templates/runtime/json-rpc.ts';
import { type Context, ToolError } from '../../templates/runtime/types.ts';
import { Answerer } from './answers.ts';
import type { FakeContext, FakeOptions, Logged, Progressed } from './index.ts';

export function fakeContext(options: FakeOptions = {}): FakeContext {
  const { client, auth, meta, signal = new AbortController().signal, api = {} } = options;
  const answers = new Answerer(options);
  const view = {
    capabilities: answers.capabilities,
    revision: LEGACY_REVISIONS.at(-1) ?? '',
    info: CLIENT,
    ...client,
  };
  const remembered = new Map<string, Promise<unknown>>();
  const logged: Logged[] = [];
  const progressed: Progressed[] = [];
  return {
    logged,
    progressed,
    asked: answers.asked,
    client: view,
    ...(auth && { auth: { ...NOBODY, ...auth } }),
    meta,
    signal,
    api: api as Context['api'],
    log: async (level, data, logger) => void logged.push({ level, data, ...(logger && { logger }) }),
    progress: async (done, total, message) =>
      void progressed.push({ done, ...(total !== undefined && { total }), ...(message && { message }) }),
    ...makeQuestions(fakeCall(view), makeAsker(answers)),
    remember: async <T>(key: string, work: () => T | Promise<T>) => {
      const result = remembered.get(key) ?? Promise.resolve().then(work);
      remembered.set(key, result);
      return result as Promise<T>;
    },
    call: async (tool, args = {}) => {
      if (options.call === undefined) throw new Error(`The test has no \`call\`, so ${tool} was not called.`);
      return options.call(tool, args) as ReturnType<Context['call']>;
    },
    run: async (program) => {
      if (options.run === undefined) throw new Error('The test has no `run`, so no steps were run.');
      return options.run(program);
    },
    closeStream: () => undefined,
  };
}

export const CLIENT = { name: 'test', version: '1.0.0' };

export const NOBODY: NonNullable<FakeContext['auth']> = {
  issuer: 'https://issuer.example',
  subject: 'test',
  scopes: [],
  claims: {},
};

/** Makes a call with only the members that elicitation, sampling and roots read. */
function fakeCall({ capabilities, revision, info }: Context['client']): Call {
  const agreement = { revision, era: 'legacy', clientInfo: info, clientCapabilities: capabilities };
  return { request: { agreement } } as unknown as Call;
}

function makeAsker(answers: Answerer): Asker {
  const keys = new Set<string>();
  return {
    ask: async (method, params, { key } = {}) => {
      if (key !== undefined && keys.has(key))
        throw new ToolError(`Two questions of one handler have the key ${JSON.stringify(key)}.`);
      if (key !== undefined) keys.add(key);
      return { answer: await answers.answer(method, params), refuse: (reason) => new ToolError(reason) };
    },
  };
}
