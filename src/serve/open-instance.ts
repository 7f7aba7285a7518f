/** Serves a model inside of this process: messages in and out, without a transport. */
import { Writable } from 'node:stream';

import type { ServerDefinition } from '../../templates/runtime/definition.ts';
import type { Json, JsonObject } from '../../templates/runtime/contract/json-schema.ts';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { Channel, Session } from '../../templates/runtime/core/session.ts';
import { type Answered, createCore } from '../../templates/runtime/core/core.ts';
import { type RequestContext, answerToObject } from '../../templates/runtime/core/call.ts';
import { closeFunctions, stopServer } from '../../templates/runtime/core/server-instance.ts';
import { openProject } from '../../templates/runtime/main/open-project.ts';
import { type Environment, parseSettings } from '../../templates/runtime/main/settings.ts';
import { parseIncoming } from '../../templates/runtime/protocol/json-rpc.ts';
import {
  LEGACY_REVISIONS,
  META,
  MODERN_REVISIONS,
  NEWEST_LEGACY_REVISION,
} from '../../templates/runtime/protocol/revisions.ts';
import { LineWriter } from '../../templates/runtime/transports/stdio.ts';
import { type ServedFiles, type ServedModel } from './serve-model.ts';

/** All that the runtime speaks, oldest first. */
export const REVISIONS: readonly string[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
export const USUAL_REVISION: string = NEWEST_LEGACY_REVISION;

export interface InProcess {
  /** The answer to one request of a client that speaks `revision`. */
  ask: (revision: string, method: string, params: JsonObject) => Promise<RpcAnswer>;
  close: () => void;
}

export interface RpcAnswer {
  result?: Json;
  error?: Json;
}

export interface InProcessOptions {
  mock: boolean;
  env: Environment;
  /** Members beside those of the model, such as hooks that see the requests to the API. */
  definition?: Partial<ServerDefinition>;
  report: (thrown: unknown) => void;
}

export interface OpenedCore {
  send: (message: object, context: RequestContext) => Promise<Answered>;
  /** Runs functions that are to run at the start. The result ends the server. */
  start: () => Promise<() => Promise<void>>;
  /** Ends a server that was not started. */
  close: () => void;
}

/** Rejects with what makes it impossible to serve the model, such as a variable of the environment. */
export async function openCore(
  served: ServedModel,
  files: ServedFiles,
  { mock, env, definition: more, report }: InProcessOptions,
): Promise<OpenedCore> {
  const definition = { ...(await files.writeModelFiles(served)), ...more };
  const settings = await parseSettings(new Map(mock ? [['mock', []]] : []), env, definition);
  // Nothing else of the process is used before a transport starts.
  const host = { env } as NodeJS.Process;
  const writer = new LineWriter(new Writable());
  const ignoreReport = (): void => undefined;
  const context = {
    host,
    writer,
    tell: ignoreReport,
    report,
    watch: undefined,
    tellUnread: () => Promise.resolve(),
  };
  const current = await openProject(definition, settings, context, undefined, undefined);
  await current.loadModules?.();
  const core = createCore({ current });
  const close = (): void => stopServer(current);
  const start = async (): Promise<() => Promise<void>> => {
    const { startOwnCode } = await import('../../templates/runtime/main/own-code.ts');
    const end = await startOwnCode(current);
    return async () => {
      close();
      await end();
      await closeFunctions(current);
    };
  };
  return { send: (message, context) => core(parseIncoming(message), context), start, close };
}

export async function openInProcess(
  served: ServedModel,
  files: ServedFiles,
  options: InProcessOptions,
): Promise<InProcess> {
  const { send, close } = await openCore(served, files, options);
  return {
    ask: async (revision, method, params) => {
      const isModern = MODERN_REVISIONS.some((modernRevision) => modernRevision === revision);
      const context = isModern ? makeModernContext() : await openSession(revision, send);
      const sent = isModern ? { ...params, _meta: makeModernMeta(revision) } : params;
      const answered = await send({ jsonrpc: '2.0', id: 1, method, params: sent }, context);
      context.channel.end();
      return toRpcAnswer(answered);
    },
    close,
  };
}

const CLIENT = { name: 'mcpgen-preview', version: '1' };

function makeModernContext(): RequestContext {
  return { channel: new Channel(), session: undefined, send: () => Promise.resolve() };
}

function makeModernMeta(revision: string): JsonObject {
  return { [META.protocolVersion]: revision, [META.clientCapabilities]: {}, [META.clientInfo]: CLIENT };
}

async function openSession(
  revision: string,
  send: (message: object, context: RequestContext) => Promise<Answered>,
): Promise<RequestContext> {
  const session = new Session('error');
  const context: RequestContext = { channel: session, session, send: () => Promise.resolve() };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
  await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, context);
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, context);
  return context;
}

function toRpcAnswer(answered: Answered): RpcAnswer {
  const [answer] = [answered].flat();
  const message: unknown = answer === undefined ? {} : answerToObject(answer);
  if (!isRecord(message)) return {};
  const { result, error } = message;
  return error === undefined ? { result: result as Json } : { error: error as Json };
}
