// A preview in this process, and its page: the requests that a browser makes with the secret of its tab.
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll } from 'vitest';
import { readSendingConsent } from '../../../src/cli/compile-options.ts';
import { makePreviewSource } from '../../../src/cli/commands/preview.ts';
import type { Flags } from '../../../src/config/options/option-types.ts';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { type Preview, startPreview } from '../../../src/preview/preview.ts';
import type { Routes } from '../../../src/preview/protocol.ts';
import { hostOf } from '../../cli/support/fake-host.ts';

export interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  method?: string;
  /** As in the request line. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Page {
  port: number;
  address: string;
  /** The header `Authorization` of the page. */
  authorization: string;
  /** Words for the terminal. */
  said: string[];
  /** Sends exactly this. */
  raw: (sent: RawRequest) => Promise<Raw>;
  get: <R extends Extract<keyof Routes, `GET ${string}`>>(
    route: R,
    query?: Record<string, string>,
  ) => Promise<Routes[R]['gives']>;
  post: <R extends Extract<keyof Routes, `POST ${string}`>>(
    route: R,
    takes: Routes[R]['takes'],
  ) => Promise<Routes[R]['gives']>;
  /** The status and message of a refused route. */
  refused: (route: keyof Routes, takes?: object) => Promise<{ status: number; message: string }>;
}

interface PageOptions {
  cwd: string;
  flags?: Flags;
  env?: Record<string, string>;
}

export async function openPage(source: string, options: PageOptions): Promise<Page> {
  const said: string[] = [];
  const preview = await startedPreview(source, options, said);
  const { port, address } = preview;
  const raw = (sent: RawRequest): Promise<Raw> => send(port, sent);
  const { body } = await raw(sessionRequest(address));
  const authorization = `Bearer ${(JSON.parse(body) as { secret: string }).secret}`;
  const own = { authorization, origin: `http://127.0.0.1:${String(port)}`, 'sec-fetch-site': 'same-origin' };
  const call = async (route: keyof Routes, takes: object = {}): Promise<Raw> => {
    const [method = '', path = ''] = route.split(' ');
    if (method === 'POST')
      return raw({
        method,
        path,
        headers: { ...own, 'content-type': 'application/json' },
        body: JSON.stringify(takes),
      });
    const query = new URLSearchParams(takes as Record<string, string>).toString();
    return raw({ method, path: query === '' ? path : `${path}?${query}`, headers: own });
  };
  const asked = async (route: keyof Routes, takes: object = {}): Promise<unknown> => {
    const { status, body } = await call(route, takes);
    if (status !== 200) throw new Error(`${route}: ${String(status)} ${body}`);
    return JSON.parse(body) as unknown;
  };
  return {
    ...{ port, address, authorization, said, raw },
    get: asked as Page['get'],
    post: asked as Page['post'],
    refused: async (route, takes) => {
      const { status, body } = await call(route, takes);
      const { error = { message: '' } } = JSON.parse(body) as { error?: { message: string } };
      return { status, message: error.message };
    },
  };
}

/** What the page sends when it is opened by the address. */
export function sessionRequest(address: string): RawRequest & { body: string } {
  const token = new URL(address).searchParams.get('token');
  return { method: 'POST', path: '/api/session', body: JSON.stringify({ token }) };
}

export async function startedPreview(
  source: string,
  { cwd, flags = {}, env = {} }: PageOptions,
  said: string[] = [],
): Promise<Preview> {
  const diagnostics = new DiagnosticCollector();
  const ended = new AbortController();
  const found = await makePreviewSource([source], flags, hostOf({ cwd, env }), diagnostics);
  if (found === undefined) throw new Error(diagnostics.found.map(({ message }) => message).join('\n'));
  const bugs: unknown[] = [];
  const preview = await startPreview(found, {
    env,
    consent: readSendingConsent(flags, hostOf({ cwd, env })),
    signal: ended.signal,
    report: (thrown) => (typeof thrown === 'string' ? said.push(thrown) : bugs.push(thrown)),
  });
  afterAll(async () => {
    await preview.close();
    if (bugs.length > 0) throw bugs[0];
  });
  return preview;
}

export async function send(
  port: number,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { host: `127.0.0.1:${String(port)}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
