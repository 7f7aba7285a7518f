// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** HTTP+SSE of 2024-11-05: a GET opens the session and its stream, which names the URL to post to. */
import type { Caller, Feature, HttpExchange } from '../feature.ts';
import { checkBodyType, checkVersion, readBody, refusal, requireMethod } from '../http-handler.ts';
import {
  isModernRequest,
  METHOD_NOT_FOUND,
  parseBytes,
  readMessage,
  RpcError,
  writeJson,
} from '../json-rpc.ts';
import { EventStream, type Exchange, randomId, SECURITY_HEADERS, type Session } from '../session.ts';
import { errorReply, fitMessage, type Reply, type Server } from '../server.ts';

const PATH = '/sse';
const MESSAGES_PATH = '/messages';

/** With `--sse`, older clients find their transport beside Streamable HTTP. */
export function sse(): Feature {
  const sessions = new Map<string, { session: Session; stream: EventStream; opening: HttpExchange }>();
  const feature: Feature = {
    name: 'sse',
    settings: [{ flag: 'sse', help: `Serve HTTP+SSE (2024-11-05) too, at ${PATH} and ${MESSAGES_PATH}.` }],
    startLine: () => (feature.routes === undefined ? '' : `HTTP+SSE: ${PATH}`),
    catalog: {
      // Before other features start, which ask for all paths.
      select: (_, server) => {
        if (server.flags['transport'] !== 'http' || server.flags['sse'] !== true) return;
        feature.routes = [
          { path: PATH, handle: openSession },
          { path: MESSAGES_PATH, handle: (exchange) => receivePost(server, exchange) },
        ];
      },
    },
  };

  async function openSession(exchange: HttpExchange): Promise<void> {
    const { request, response } = exchange;
    requireMethod(request.method, ['GET', 'OPTIONS']);
    const session = await exchange.openSession(exchange);
    const stream = new EventStream(response, exchange.held);
    const id = randomId();
    sessions.set(id, { session, stream, opening: exchange });
    session.push = (message) => void stream.send(fitMessage(writeJson(message)));
    session.onEnd(() => {
      sessions.delete(id);
      stream.end();
    });
    response.once('close', () => session.end());
    void stream.write(`event: endpoint\ndata: ${MESSAGES_PATH}?sessionId=${id}\n\n`);
    if (response.destroyed) session.end();
  }

  async function receivePost(server: Server, exchange: HttpExchange): Promise<void> {
    const { request, response, caller } = exchange;
    requireMethod(request.method, ['POST', 'OPTIONS']);
    const bytes = await readBody(exchange);
    checkBodyType(request);
    const value = parseBytes(bytes);
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId');
    if (id === null) throw refusal(400, '`sessionId` is missing: post to what the `endpoint` event named.');
    const { session, stream, opening } = sessions.get(id) ?? {};
    if (session === undefined || stream === undefined || !isSameCaller(session.caller, caller))
      throw refusal(404, 'The session is unknown or has ended. It lives on the node that has its stream.');
    const message = Array.isArray(value) ? undefined : readMessage(value);
    if (message?.kind === 'invalid') throw refusal(400, message.reason);
    checkVersion(request);
    response.writeHead(202, SECURITY_HEADERS).end();
    session.caller = caller;
    const answer = (reply: Reply | undefined): void => {
      if (reply !== undefined) void stream.send(fitMessage(reply.text));
    };
    // An HTTP error would end clients that probe; after this one they open with `initialize`.
    if (message?.kind === 'request' && isModernRequest(message)) {
      const reason = 'This transport serves the revisions that open with `initialize`.';
      return answer(errorReply(message.id, new RpcError(METHOD_NOT_FOUND, reason)));
    }
    const { request: opened, caller: hearer } = opening ?? exchange;
    const received: Exchange = {
      session,
      send: session.push,
      // Its URL chooses what the session is shown.
      request: opened,
      // The answer goes to the stream, whose caller may have been allowed less.
      caller: caller && {
        ...caller,
        require: (needs) => [hearer, caller].forEach((one) => one?.require?.(needs)),
      },
    };
    answer(await server.receive(value, received));
  }

  return feature;
}

function isSameCaller(one: Caller | undefined, other: Caller | undefined): boolean {
  return one?.subject === other?.subject;
}
