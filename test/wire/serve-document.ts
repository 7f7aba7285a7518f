/**
 * A document as a running server: compiled in memory, called in texts as over stdio, with an API on loopback that keeps
 * every byte it is sent.
 */
import { Client as NewClient, type Transport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { allFeatures } from '../../templates/runtime/all-features.ts';
import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import { printBindings, printCatalog, printMock, printSearch } from '../../src/emit/data-files.ts';
import type { ServerModel, Tool } from '../../src/model/server-model.ts';
import type { SurfaceName } from '../../templates/runtime/contract/json-schema.ts';
import { openSurface } from '../../templates/runtime/search/index.ts';
import { CatalogStore } from '../../templates/runtime/core/catalog-store.ts';
import { createServer, type ServerSource } from '../../templates/runtime/core/server-instance.ts';
import { Session } from '../../templates/runtime/core/session.ts';
import { DEFAULT_LIMITS } from '../../templates/runtime/contract/feature.ts';
import type { Message } from '../../templates/runtime/core/call.ts';
import { Conversation, partsOfMessage } from '../../templates/runtime/transports/conversation.ts';
import { rawServer, type Received } from '../runtime/upstream/loopback.ts';
import { createCheckedCore } from '../support/checked-core.ts';

export interface Served {
  server: ReturnType<typeof createServer>;
  tools: readonly Tool[];
  /** `tools/call`; `args` may be the JSON text itself, for what JavaScript's numbers can't hold. */
  call(tool: string, args: object | string): Promise<Called>;
  /** The official clients, each with a session of its own, and the list of tools read: they check what calls return. */
  clients(): Promise<(OldClient | NewClient)[]>;
  /** `resources/read`: the contents, or the words of the refusal. */
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface Called {
  /** Requests that the API got, as `requestText` writes them. */
  sent: string[];
  /** The texts of the result. */
  words: string;
  /** They are those of a tool's error. */
  isError: boolean;
  /** The answer to the client, byte for byte. */
  text: string;
}

type Answer = Parameters<typeof rawServer>[0];

/** Of the project, what the test decides. */
interface Parts extends Partial<ServerSource> {
  /** `--mock`. */
  isMock?: boolean;
  /** `--surface`. */
  surfaces?: readonly SurfaceName[];
  /** How the document is compiled. */
  options?: Partial<CompileOptions>;
  reported?: unknown[];
}

/** Throws when the document has errors or warnings; many tools are none of its own. */
export async function serveDocument(document: object, answer?: Answer, parts: Parts = {}): Promise<Served> {
  const stdin = (): Promise<Buffer> => Promise.resolve(Buffer.from(JSON.stringify(document)));
  const { options, ...own } = parts;
  const { model, diagnostics } = await compile({ source: '-', stdin, ...options });
  const faults = diagnostics.filter(
    ({ severity, name }) => severity !== 'info' && !/^(too-)?many-tools$/.test(name),
  );
  if (model === undefined || faults.length > 0)
    throw new Error(faults.map(({ message }) => message).join('\n'));
  return serveModel(model, answer, own);
}

export async function serveModel(
  model: ServerModel,
  answer?: Answer,
  { isMock = false, reported = [], surfaces, ...parts }: Omit<Parts, 'options'> = {},
): Promise<Served> {
  const upstream = await rawServer(answer);
  const { mock } = model;
  const server = createServer({
    definition: { info: { name: 'wire', version: '1' }, features: allFeatures },
    catalog: new CatalogStore(printCatalog(model)),
    readBindings: () => printBindings(model),
    env: {},
    limits: DEFAULT_LIMITS,
    baseUrl: upstream.url,
    report: (thrown) => reported.push(thrown),
    ...(isMock && mock !== undefined ? { readMock: () => printMock({ mock }) } : {}),
    ...parts,
  });
  if (surfaces !== undefined) server.surface = openSurface(server, surfaces, printSearch(model));
  const ask = await openConversation(server);
  return {
    server,
    tools: model.tools,
    call: async (tool, args) => {
      const before = upstream.requests.length;
      const given = typeof args === 'string' ? args : JSON.stringify(args);
      const text = await ask('tools/call', `{"name":${JSON.stringify(tool)},"arguments":${given}}`);
      const { result, error } = JSON.parse(text) as { result?: ToolResult; error?: { message: string } };
      if (result === undefined) throw new Error(error?.message ?? text, { cause: reported });
      const sent = upstream.requests.slice(before).map(requestText);
      return { sent, words: textOf(result), isError: result.isError === true, text };
    },
    read: async (uri) => {
      const text = await ask('resources/read', JSON.stringify({ uri }));
      const { result, error } = JSON.parse(text) as { result?: { contents: unknown }; error?: object };
      return result?.contents ?? error;
    },
    clients: async () => {
      const info = { name: 'wire', version: '1' };
      const old = new OldClient(info);
      const current = new NewClient(info);
      await old.connect(transportTo(server));
      await current.connect(transportTo(server));
      for (const client of [old, current]) {
        let page = await client.listTools();
        while (page.nextCursor !== undefined) page = await client.listTools({ cursor: page.nextCursor });
      }
      return [old, current];
    },
    close: upstream.close,
  };
}

function transportTo(server: ReturnType<typeof createServer>): OldTransport & NewTransport {
  const transport: OldTransport & NewTransport = {
    start: () => Promise.resolve(),
    send: (message) => {
      conversation.receiveText(JSON.stringify(message));
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  const send = (message: Message): undefined => {
    const parts = partsOfMessage(message).map((part) => (typeof part === 'string' ? part : part.text));
    transport.onmessage?.(JSON.parse(parts.join('')) as JSONRPCMessage);
  };
  const wire = { send, pause: () => undefined, resume: () => undefined };
  const conversation = new Conversation({ core: createCheckedCore(server), session: new Session(), wire });
  return transport;
}

interface ToolResult {
  content: { text?: string; resource?: { text?: string } }[];
  isError?: boolean;
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text, resource }) => text ?? resource?.text ?? '').join('\n');
}

/** Asks in texts, and is answered so; the session is open. */
async function openConversation(
  server: ReturnType<typeof createServer>,
): Promise<(method: string, params: string) => Promise<string>> {
  const waiting = new Map<number, (text: string) => void>();
  const wire = {
    send: (text: string) => {
      waiting.get((JSON.parse(text) as { id: number }).id)?.(text);
      return undefined;
    },
    pause: () => undefined,
    resume: () => undefined,
  };
  const conversation = new Conversation({
    core: createCheckedCore(server),
    session: new Session(),
    wire,
  });
  let id = 0;
  const ask = (method: string, params: string): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      conversation.receiveText(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    });
  const clientInfo = { name: 'wire', version: '1' };
  await ask('initialize', JSON.stringify({ protocolVersion: '2025-11-25', capabilities: {}, clientInfo }));
  conversation.receiveText('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return ask;
}

/** Headers that every request has; `Content-Length` has been obeyed when the request was read. */
const OF_EVERY_REQUEST = /^(?:host|connection|accept|accept-encoding|user-agent|content-length):/i;

/**
 * `GET /a?b=c`, then the headers that this request alone has, then, after an empty line, its body. The boundary of a
 * multipart body, which is made anew for each, is `boundary`.
 */
function requestText({ line, headers, body }: Received): string {
  const own = headers.filter((header) => !OF_EVERY_REQUEST.test(header));
  const head = [line.replace(/ HTTP\/1\.1$/, ''), ...own].join('\n');
  const boundary = /^Content-Type: multipart\/.*; boundary=([\w-]+)$/m.exec(head)?.[1];
  const text = body.length === 0 ? head : `${head}\n\n${body.toString('latin1')}`;
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}
