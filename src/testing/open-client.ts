import { compile } from '../api/compile.ts';
import { startServer } from '../serve/open-instance.ts';
import { ServedFiles, type ServedModel } from '../serve/serve-model.ts';
import type { Caller } from '../../templates/runtime/feature.ts';
import { LEGACY_REVISIONS, META, MODERN_REVISIONS } from '../../templates/runtime/json-rpc.ts';
import { parseJson, RpcError } from '../../templates/runtime/json-rpc.ts';
import type { Server } from '../../templates/runtime/server.ts';
import { type Exchange, Session } from '../../templates/runtime/session.ts';
import type { JsonObject } from '../../templates/runtime/types.ts';
import { Answerer } from './answers.ts';
import { askScopes } from './ask-scopes.ts';
import { CLIENT, NOBODY } from './fake-context.ts';
import type { Asked, ConnectOptions, TestClient } from './index.ts';

export async function openClient(files: readonly string[], options: ConnectOptions): Promise<TestClient> {
  const served = await compileFunctions(files, options);
  const { env = {}, auth } = options;
  const folder = new ServedFiles();
  const errors: unknown[] = [];
  try {
    const server = await startServer(served, folder, {
      mock: false,
      env,
      report: (thrown) => void errors.push(thrown),
      ...(auth && { features: [askScopes()] }),
    });
    const client = new InMemoryClient(server, options);
    await client.initialize();
    const closeClient = async (): Promise<void> => {
      client.end();
      server.beginStopping();
      await server.close();
      folder.remove();
    };
    return client.toTestClient(errors, closeClient);
  } catch (thrown) {
    folder.remove();
    throw thrown;
  }
}

const NEWEST_LEGACY_REVISION = LEGACY_REVISIONS.at(-1) ?? '';

async function compileFunctions(
  files: readonly string[],
  { cwd = '.', tsconfig, import: load }: ConnectOptions,
): Promise<ServedModel> {
  const typescript = { files: [...files], ...(tsconfig && { tsconfig }) };
  const { model, app, diagnostics } = await compile({
    source: files.join(' '),
    typescript,
    cwd,
    auth: 'none',
  });
  if (model !== undefined) return { model, app: app?.({ maps: true, inPlace: true }), load };
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new Error(
    errors
      .map(({ code, name, message, origin }) =>
        `${origin?.file ?? ''} error ${code} ${name}: ${message}`.trim(),
      )
      .join('\n'),
  );
}

/** Speaks a revision of either era, and answers what the server asks. */
class InMemoryClient {
  readonly #server: Server;
  readonly #revision: string;
  readonly #isModern: boolean;
  readonly #answers: Answerer;
  readonly #session = new Session();
  readonly #exchange: Exchange;
  readonly #notifications: Asked[] = [];
  #count = 0;

  constructor(server: Server, options: ConnectOptions) {
    const { revision = NEWEST_LEGACY_REVISION, auth } = options;
    this.#server = server;
    this.#revision = revision;
    this.#isModern = MODERN_REVISIONS.includes(revision);
    this.#answers = new Answerer(options);
    this.#session.logLevel = 'debug';
    this.#session.push = (message) => this.#receiveMessage(message);
    const caller: Caller | undefined = auth && { subject: 'test', auth: { ...NOBODY, ...auth } };
    this.#exchange = {
      session: Object.assign(this.#session, { caller }),
      caller,
      send: (message) => this.#receiveMessage(message),
    };
  }

  async initialize(): Promise<void> {
    if (this.#isModern) return;
    const { capabilities } = this.#answers;
    await this.request('initialize', { protocolVersion: this.#revision, capabilities, clientInfo: CLIENT });
    await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  end(): void {
    this.#session.end();
  }

  toTestClient(errors: readonly unknown[], close: () => Promise<void>): TestClient {
    const createRequestMethod =
      <T>(method: string) =>
      async (params: object = {}): Promise<T> =>
        (await this.request(method, params)) as T;
    return {
      listTools: createRequestMethod('tools/list'),
      callTool: createRequestMethod('tools/call'),
      listResources: createRequestMethod('resources/list'),
      listResourceTemplates: createRequestMethod('resources/templates/list'),
      readResource: createRequestMethod('resources/read'),
      listPrompts: createRequestMethod('prompts/list'),
      getPrompt: createRequestMethod('prompts/get'),
      request: async (method, params) => this.request(method, params),
      notifications: this.#notifications,
      asked: this.#answers.asked,
      errors,
      close,
    };
  }

  /** Runs a call again with the answers to its questions, as the modern era does. */
  async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    let sent = params;
    for (;;) {
      const result = await this.#sendRequest(method, sent);
      if (result['resultType'] !== 'input_required') return result;
      const { inputRequests = {}, requestState } = result;
      const inputResponses: JsonObject = {};
      for (const [key, question] of Object.entries(inputRequests as Record<string, Asked>))
        inputResponses[key] = (await this.#answers.answer(question.method, question.params)) as JsonObject;
      sent = { ...params, requestState, inputResponses };
    }
  }

  async #sendRequest(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    const { _meta: meta = {} } = params as { _meta?: object };
    const _meta = { progressToken: id, ...(this.#isModern && this.#makeModernMeta()), ...meta };
    const sent = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
    const { result, error } = await this.#send(sent);
    if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
    if (result === undefined) throw new Error(`${method} was not answered.`);
    return result;
  }

  #makeModernMeta(): JsonObject {
    return {
      [`${META}protocolVersion`]: this.#revision,
      [`${META}clientCapabilities`]: this.#answers.capabilities,
      [`${META}clientInfo`]: CLIENT,
      [`${META}logLevel`]: 'debug',
    };
  }

  #receiveMessage(message: object): void {
    const { id, method, params = {} } = message as { id?: unknown; method: string; params?: JsonObject };
    if (id === undefined) this.#notifications.push({ method, params });
    else void this.#answerServerRequest(id, method, params);
  }

  async #answerServerRequest(id: unknown, method: string, params: JsonObject): Promise<void> {
    const outcome = await this.#answers.answer(method, params).then(
      (result) => ({ result }),
      ({ message }: Error) => ({ error: { code: -32603, message } }),
    );
    await this.#send({ jsonrpc: '2.0', id, ...outcome });
  }

  async #send(message: object): Promise<Answer> {
    const reply = await this.#server.receive(message, this.#exchange);
    return (reply === undefined ? {} : parseJson(reply.text)) as Answer;
  }
}

interface Answer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}
