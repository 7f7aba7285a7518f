/** A `Context` without a server: it takes what functions tell, and asks the test in the client's place. */
import type { JsonObject } from '../../templates/runtime/contract/json-schema.ts';
import { elicitForm, elicitUrl, listRoots, sample } from '../../templates/runtime/core/ask-client.ts';
import type { Call } from '../../templates/runtime/core/call.ts';
import { WaitingRequester } from '../../templates/runtime/core/client-requests.ts';
import { Session } from '../../templates/runtime/core/session.ts';
import type { AskOptions, Context } from '../../templates/runtime/definition.ts';
import { NEWEST_LEGACY_REVISION, featuresOf } from '../../templates/runtime/protocol/revisions.ts';
import { Answerer } from './answers.ts';
import type { FakeContext, FakeOptions, Logged, Progressed } from './index.ts';

export function fakeContext(options: FakeOptions = {}): FakeContext {
  const { client, auth, meta, signal = new AbortController().signal, api = {} } = options;
  const answers = new Answerer(options);
  const view = {
    capabilities: answers.capabilities,
    revision: NEWEST_LEGACY_REVISION,
    info: CLIENT,
    ...client,
  };
  const asking = new FakeRequester(answers);
  const call = fakeCall(view);
  const remembered = new Map<string, Promise<unknown>>();
  const logged: Logged[] = [];
  const progressed: Progressed[] = [];
  return {
    logged,
    progressed,
    asked: answers.asked,
    client: view,
    auth: auth && { ...NOBODY, ...auth },
    meta,
    signal,
    api: api as Context['api'],
    log: async (level, data, logger) => void logged.push({ level, data, ...(logger && { logger }) }),
    progress: async (done, total, message) =>
      void progressed.push({ done, ...(total !== undefined && { total }), ...(message && { message }) }),
    elicit: async (message, schema, options) => elicitForm(call, asking.open(options ?? {}), message, schema),
    elicitUrl: async (message, url, options = {}) =>
      elicitUrl(call, asking.open(options), message, url, options),
    sample: async (request, options = {}) => sample(call, asking.open(options), request),
    roots: async (options: AskOptions = {}) => listRoots(call, asking.open(options)),
    remember: async <T>(key: string, work: () => T | Promise<T>) => {
      const result = remembered.get(key) ?? Promise.resolve().then(work);
      remembered.set(key, result);
      return result as Promise<T>;
    },
    call: async (tool, args = {}) => {
      if (options.call === undefined) throw new Error(`The test has no \`call\`, so ${tool} was not called.`);
      return options.call(tool, args);
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
  const agreement = {
    features: featuresOf(revision),
    revision,
    clientInfo: info,
    clientCapabilities: capabilities,
  };
  return { agreement, session: new Session() } as Pick<Call, 'agreement' | 'session'> as Call;
}

class FakeRequester extends WaitingRequester {
  readonly #answers: Answerer;

  constructor(answers: Answerer) {
    super();
    this.#answers = answers;
  }

  override async ask(_key: string, method: string, params: object | undefined): Promise<JsonObject> {
    return (await this.#answers.answer(method, params)) as JsonObject;
  }
}
