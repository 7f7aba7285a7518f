/** Serves a model inside of this process: messages in and out, without a transport. */
import type { Feature, ServerDefinition } from '../../templates/runtime/feature.ts';
import { LEGACY_REVISIONS, META, MODERN_REVISIONS } from '../../templates/runtime/json-rpc.ts';
import { Server } from '../../templates/runtime/server.ts';
import { Session } from '../../templates/runtime/session.ts';
import type { Env, JsonObject } from '../../templates/runtime/types.ts';
import type { ServedFiles, ServedModel } from './serve-model.ts';

/** All that the runtime speaks, oldest first. */
export const REVISIONS: readonly string[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
export const USUAL_REVISION: string = LEGACY_REVISIONS.at(-1) ?? '';

export interface InProcess {
  /** The answer to one request of a client that speaks `revision`. */
  ask: (revision: string, method: string, params: JsonObject) => Promise<RpcAnswer>;
  close: () => void;
}

export interface RpcAnswer {
  result?: PlainJson;
  error?: PlainJson;
}

/** As JavaScript reads it. */
type PlainJson = null | boolean | number | string | PlainJson[] | { [name: string]: PlainJson | undefined };

export interface InProcessOptions {
  mock: boolean;
  env: Env;
  /** Members beside those of the model, such as hooks that see the requests to the API. */
  definition?: Partial<ServerDefinition>;
  /** Features beside those that every server has. They stand around the others. */
  features?: readonly Feature[];
  report: (thrown: unknown) => void;
}

/** Features that write to files and ports of the process. */
const WATCHING = new Set(['audit', 'metrics', 'traces', 'redis']);

/** Starts a server. Rejects with what makes it impossible to serve the model, such as a variable of the environment. */
export async function startServer(
  served: ServedModel,
  files: ServedFiles,
  { mock, env, definition: members, features = [], report }: InProcessOptions,
): Promise<Server> {
  const definition = await files.define(served);
  const others = definition.features?.filter(({ name }) => !WATCHING.has(name)) ?? [];
  const whole = { ...definition, ...members, features: [...features, ...others] };
  const server = new Server(whole, { env, flags: mock ? { mock: true } : {}, report });
  await server.start();
  return server;
}

export async function openInProcess(
  { model, ...code }: ServedModel,
  files: ServedFiles,
  options: InProcessOptions,
): Promise<InProcess> {
  // What is to run at the start of a server may do anything.
  const { started, ...idle } = model;
  void started;
  const server = await startServer({ model: idle, ...code }, files, options);
  return {
    ask: async (revision, method, params) => {
      const session = new Session();
      session.logLevel = 'error';
      const send = async (message: object): Promise<RpcAnswer> => {
        const reply = await server.receive(message, { session, send: () => undefined });
        return (reply === undefined ? {} : JSON.parse(reply.text)) as RpcAnswer;
      };
      const isModern = MODERN_REVISIONS.includes(revision);
      if (!isModern) await openSession(revision, send);
      const sent = isModern
        ? {
            ...params,
            _meta: {
              [`${META}protocolVersion`]: revision,
              [`${META}clientCapabilities`]: {},
              [`${META}clientInfo`]: CLIENT,
            },
          }
        : params;
      const { result, error } = await send({ jsonrpc: '2.0', id: 1, method, params: sent });
      session.end();
      return error === undefined ? { ...(result !== undefined && { result }) } : { error };
    },
    close: () => {
      server.beginStopping();
      void server.close();
    },
  };
}

const CLIENT = { name: 'mcpgen-preview', version: '1' };

async function openSession(revision: string, send: (message: object) => Promise<unknown>): Promise<void> {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
  await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
}
