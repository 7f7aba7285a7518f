// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What a handler can do with its client: log, report progress, call other tools. Features add members. Also `logging/setLevel`. */
import type { Call, MethodCall } from './feature.ts';
import { hasProgressMessage, invalidParams, isId, isRecord, LOG_LEVELS, META } from './json-rpc.ts';
import { type Notification } from './json-rpc.ts';
import { callToolByCode } from './tools.ts';
import type { Context, JsonObject, LogLevel } from './types.ts';

export function makeContext(call: Call): Context {
  const { request, work } = call;
  const { server, session, exchange, agreement } = request;
  const { _meta } = request.params;
  const meta = isRecord(_meta) ? (_meta as JsonObject) : undefined;
  const { clientInfo, clientCapabilities, revision } = agreement;
  const send = async (method: string, params: object): Promise<void> => {
    const message: Notification = { jsonrpc: '2.0', method, params };
    if (!work.isDone && work.reason === undefined) await exchange.send(message);
  };
  // Features add the members that their modules declare.
  const context = {
    get signal() {
      return work.signal;
    },
    meta,
    client: { revision, capabilities: clientCapabilities, ...(clientInfo && { info: clientInfo }) },
    log: async (level: LogLevel, data: unknown, logger?: string) => {
      const least = agreement.era === 'modern' ? meta?.[`${META}logLevel`] : session.logLevel;
      if (!isLevel(least) || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least) || !work.mayLog()) return;
      // `data` is required, and `JSON.stringify` would leave it out.
      const isLost = data === undefined || typeof data === 'function' || typeof data === 'symbol';
      await send('notifications/message', { level, logger, data: isLost ? null : data });
    },
    progress: async (done: number, total?: number, message?: string) => {
      // A call inside another would report under the same token, and progress must rise.
      const token = call.origin === 'client' ? meta?.['progressToken'] : undefined;
      if (!isId(token) || !Number.isFinite(done) || done <= work.reachedProgress) return;
      if ((agreement.era === 'legacy' && !session.isReady) || !work.mayProgress()) return;
      work.reachedProgress = done;
      await send('notifications/progress', {
        progressToken: token,
        progress: done,
        total: Number.isFinite(total) ? total : undefined,
        message: hasProgressMessage(revision) ? message : undefined,
      });
    },
    call: (name: string, args?: object) => callToolByCode(call, name, args),
  };
  for (const feature of server.features)
    if (feature.context !== undefined)
      Object.defineProperties(context, Object.getOwnPropertyDescriptors(feature.context(call)));
  return context as unknown as Context;
}

function isLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

export function setLogLevel({ session, params: { level } }: MethodCall): object {
  if (!isLevel(level)) throw invalidParams(`\`level\` must be one of ${LOG_LEVELS.join(', ')}.`);
  session.logLevel = level;
  return {};
}
