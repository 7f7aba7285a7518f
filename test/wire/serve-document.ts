/**
 * A document as a running server: compiled in memory, called in texts as over stdio, with an API on loopback that keeps
 * every byte it is sent.
 */
import { Client as NewClient, type Transport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import { printBindings, printCatalog, printSearch, printMock } from '../../src/emit/data-files.ts';
import type { ServerModel, Tool } from '../../src/model/server-model.ts';
import { parseJson, writeJson } from '../../templates/runtime/json-rpc.ts';
import type { Server } from '../../templates/runtime/server.ts';
import { Session } from '../../templates/runtime/session.ts';
import { makeClient, makeServer, type Parts as ServerParts } from '../runtime/core.ts';
import { rawServer, type Received } from '../support/loopback.ts';

export interface Served {
  server: Server;
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
  /** Questions that the client got. */
  asked: string[];
  /** The texts of the result. */
  words: string;
  /** They are those of a tool's error. */
  isError: boolean;
  /** The answer to the client, byte for byte. */
  text: string;
}

type Answer = Parameters<typeof rawServer>[0];

/** Of the project, what the test decides. */
interface Parts extends Pick<
  ServerParts,
  'baseUrl' | 'env' | 'features' | 'handlers' | 'hasSteps' | 'limits' | 'pageSize' | 'without'
> {
  /** `--mock`. */
  isMock?: boolean;
  /** `--surface`. */
  surface?: string;
  flags?: ServerParts['flags'];
  /** What the user answers to each question, for a client that can be asked. */
  userAnswers?: boolean[];
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

/** With all features. */
export async function serveModel(
  model: ServerModel,
  answer?: Answer,
  parts: Omit<Parts, 'options'> = {},
): Promise<Served> {
  const { isMock = false, reported = [], surface, flags, userAnswers, ...others } = parts;
  const upstream = await rawServer(answer);
  const server = makeServer(
    {
      generated: {
        'catalog.json': printCatalog(model),
        'bindings.json': printBindings(model, isMock, { refuses: {}, requires: [] }),
        'mock.json': printMock(model),
        'search.json': printSearch(model),
      },
      info: { name: 'wire', version: '1' },
      flags: {
        ...(isMock && { mock: true }),
        ...(surface !== undefined && { surface }),
        ...flags,
      },
      // One of several APIs has an address of its own.
      ...(model.upstreams === undefined && { baseUrl: upstream.url }),
      ...others,
    },
    reported,
  );
  const questions: string[] = [];
  const { send } = makeClient(server, [], undefined, (message) => {
    const { id, method, params } = message as { id?: unknown; method?: string; params?: { message: string } };
    if (method !== 'elicitation/create') return;
    questions.push(params?.message ?? '');
    const result = { action: 'accept', content: { confirm: userAnswers?.shift() ?? false } };
    queueMicrotask(() => void send({ jsonrpc: '2.0', id, result }));
  });
  const capabilities = userAnswers === undefined ? {} : { elicitation: {} };
  let id = 0;
  const ask = async (method: string, params: string): Promise<string> => {
    const text = `{"jsonrpc":"2.0","id":${++id},"method":"${method}","params":${params}}`;
    return writeJson(await send(parseJson(text)));
  };
  const clientInfo = { name: 'wire', version: '1' };
  await ask('initialize', JSON.stringify({ protocolVersion: '2025-11-25', capabilities, clientInfo }));
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    server,
    tools: model.tools,
    call: async (tool, args) => {
      const before = upstream.requests.length;
      questions.length = 0;
      const given = typeof args === 'string' ? args : JSON.stringify(args);
      const text = await ask('tools/call', `{"name":${JSON.stringify(tool)},"arguments":${given}}`);
      const { result, error } = JSON.parse(text) as { result?: ToolResult; error?: { message: string } };
      if (result === undefined) throw new Error(error?.message ?? text, { cause: reported });
      const sent = upstream.requests.slice(before).map(requestText);
      return { sent, asked: [...questions], words: textOf(result), isError: result.isError === true, text };
    },
    clients: async () => {
      const [old, current] = [new OldClient(clientInfo), new NewClient(clientInfo)];
      await old.connect(transportTo(server));
      await current.connect(transportTo(server));
      for (const client of [old, current]) {
        let page = await client.listTools();
        while (page.nextCursor !== undefined) page = await client.listTools({ cursor: page.nextCursor });
      }
      return [old, current];
    },
    read: async (uri) => {
      const text = await ask('resources/read', JSON.stringify({ uri }));
      const { result, error } = JSON.parse(text) as { result?: { contents: unknown }; error?: object };
      return result?.contents ?? error;
    },
    close: upstream.close,
  };
}

function transportTo(server: Server): OldTransport & NewTransport {
  const receive = (message: unknown): void =>
    transport.onmessage?.(JSON.parse(writeJson(message)) as JSONRPCMessage);
  const { send } = makeClient(server, [], new Session(), receive);
  const transport: OldTransport & NewTransport = {
    start: () => Promise.resolve(),
    send: async (message) => {
      const reply = await send(parseJson(JSON.stringify(message)));
      if (reply !== undefined) receive({ ...reply, origin: undefined });
    },
    close: () => Promise.resolve(),
  };
  return transport;
}

interface ToolResult {
  content: { text?: string; resource?: { text?: string } }[];
  isError?: boolean;
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text, resource }) => text ?? resource?.text ?? '').join('\n');
}

/** Headers that every request has; `Content-Length` has been obeyed when the request was read. */
const OF_EVERY_REQUEST = /^(?:host|connection|accept|accept-encoding|user-agent|content-length):/i;

/** The core of the runtime writes names in lower case; case has no meaning (RFC 9110, section 5.1). */
function spellHeader(header: string): string {
  return header.replace(/^(?:content-type|cookie|authorization|x-[\w-]+)(?=:)/, (name) =>
    name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  );
}

/**
 * `GET /a?b=c`, then the headers that this request alone has, then, after an empty line, its body. The boundary of a
 * multipart body, which is made anew for each, is `boundary`.
 */
function requestText({ line, headers, body }: Received): string {
  const own = headers.filter((header) => !OF_EVERY_REQUEST.test(header)).map(spellHeader);
  const head = [line.replace(/ HTTP\/1\.1$/, ''), ...own].join('\n');
  const boundary = /^Content-Type: multipart\/.*; boundary=([\w-]+)$/m.exec(head)?.[1];
  const text = body.length === 0 ? head : `${head}\n\n${body.toString('latin1')}`;
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}
