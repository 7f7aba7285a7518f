import { compile } from '../api/compile.ts';
import { renderAgentLine, diagnosticToRecord } from '../diagnostics/render/record.ts';
import { noPlaces } from '../diagnostics/render/place.ts';
import { openCore } from '../serve/open-instance.ts';
import { ServedFiles, type ServedModel } from '../serve/serve-model.ts';
import type { Json, JsonObject } from '../../templates/runtime/contract/json-schema.ts';
import { type Answered } from '../../templates/runtime/core/core.ts';
import { type RequestContext, answerToObject } from '../../templates/runtime/core/call.ts';
import { Channel, Session } from '../../templates/runtime/core/session.ts';
import type { AuthDefinition } from '../../templates/runtime/definition.ts';
import { ProtocolError } from '../../templates/runtime/protocol/json-rpc.ts';
import {
  META,
  MODERN_REVISIONS,
  NEWEST_LEGACY_REVISION,
} from '../../templates/runtime/protocol/revisions.ts';
import { Answerer } from './answers.ts';
import { CLIENT, NOBODY } from './fake-context.ts';
import type { Asked, ConnectOptions, TestClient } from './index.ts';

export async function openClient(files: readonly string[], options: ConnectOptions): Promise<TestClient> {
  const served = await compileFunctions(files, options);
  const { env = {}, auth } = options;
  const folder = new ServedFiles();
  const errors: unknown[] = [];
  try {
    const opened = await openCore(served, folder, {
      mock: false,
      env,
      report: (thrown) => void errors.push(thrown),
      ...(auth && { definition: { auth: AUTH } }),
    });
    const end = await opened.start();
    const client = new InMemoryClient(opened.send, options);
    await client.initialize();
    const closeClient = async (): Promise<void> => {
      client.end();
      await end();
      folder.remove();
    };
    return client.toTestClient(errors, closeClient);
  } catch (thrown) {
    folder.remove();
    throw thrown;
  }
}

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
  throw new Error(errors.map((error) => renderAgentLine(diagnosticToRecord(error, noPlaces))).join('\n'));
}

const AUTH: AuthDefinition = { runtime: () => import('../../templates/runtime/oauth/index.ts') };

type Send = (message: object, context: RequestContext) => Promise<Answered>;

/** Speaks a revision of either era, and answers what the server asks. */
class InMemoryClient {
  readonly #send: Send;
  readonly #revision: string;
  readonly #isModern: boolean;
  readonly #answers: Answerer;
  readonly #session: Session | undefined;
  readonly #context: RequestContext;
  readonly #notifications: Asked[] = [];
  #count = 0;

  constructor(send: Send, options: ConnectOptions) {
    const { revision = NEWEST_LEGACY_REVISION, auth } = options;
    this.#send = send;
    this.#revision = revision;
    this.#isModern = MODERN_REVISIONS.some((modernRevision) => modernRevision === revision);
    this.#answers = new Answerer(options);
    this.#session = this.#isModern ? undefined : new Session('debug');
    const caller = auth && {
      auth: { ...NOBODY, ...auth },
      subject: 'test',
      untilRefused: () => () => undefined,
    };
    const channel = this.#session ?? new Channel();
    this.#context = {
      channel,
      session: this.#session,
      caller,
      send: async (message) => this.#receiveMessage(message),
    };
    if (this.#session !== undefined) this.#session.push = (message) => this.#receiveMessage(message);
  }

  async initialize(): Promise<void> {
    if (this.#isModern) return;
    const { capabilities } = this.#answers;
    await this.request('initialize', { protocolVersion: this.#revision, capabilities, clientInfo: CLIENT });
    await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.#context);
  }

  end(): void {
    this.#context.channel.end();
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
    const [answer] = [await this.#send(sent, this.#context)].flat();
    const message: unknown = answer === undefined ? {} : answerToObject(answer);
    const { result, error } = message as { result?: Record<string, unknown>; error?: RpcError };
    if (error !== undefined) throw new ProtocolError(error.code, error.message, 'work', error.data);
    if (result === undefined) throw new Error(`${method} was not answered.`);
    return result;
  }

  #makeModernMeta(): JsonObject {
    return {
      [META.protocolVersion]: this.#revision,
      [META.clientCapabilities]: this.#answers.capabilities,
      [META.clientInfo]: CLIENT,
      [META.logLevel]: 'debug',
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
    await this.#send({ jsonrpc: '2.0', id, ...outcome }, this.#context);
  }
}

interface RpcError {
  code: number;
  message: string;
  data?: Json;
}
