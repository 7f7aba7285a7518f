/** Records requests to the API and its answers, without secrets. */
import { AsyncLocalStorage } from 'node:async_hooks';

import { writeJson } from '../../templates/runtime/json-rpc.ts';
import { secretsOfEnvironment } from '../../templates/runtime/features/environment-secrets.ts';
import { createRedactor, type Redact } from '../../templates/runtime/results.ts';
import type { ApiAnswer, Bindings, Env, Handlers, OutgoingRequest } from '../../templates/runtime/types.ts';

export interface Exchange {
  request: { method: string; url: string; headers: [string, string][]; body: string };
  response?: { status: number; headers: [string, string][]; body: string };
}

export interface Recorder {
  hooks: Pick<Handlers<object>, 'beforeRequest' | 'afterResponse'>;
  /** Runs `work`, and gives its exchanges. */
  record: <T>(work: () => Promise<T>) => Promise<{ result: T; exchanges: Exchange[] }>;
}

export function createExchangeRecorder(
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>,
  env: Env,
): Recorder {
  const redact = createRedactor(listSecrets(bindings, env));
  const calls = new AsyncLocalStorage<Exchange[]>();
  return {
    hooks: {
      beforeRequest: (request) => void calls.getStore()?.push({ request: recordRequest(request, redact) }),
      afterResponse: (answer) => {
        const last = calls.getStore()?.at(-1);
        if (last !== undefined)
          last.response = {
            status: answer.status,
            headers: recordHeaders(Object.entries(answer.headers), redact),
            body: redact(printAnswerBody(answer.body)),
          };
        return undefined;
      },
    },
    record: async (work) => {
      const exchanges: Exchange[] = [];
      return { result: await calls.run(exchanges, work), exchanges };
    },
  };
}

/** Credentials of the API may be in variables with any names. */
function listSecrets(
  { upstream, upstreams = [] }: Parameters<typeof createExchangeRecorder>[0],
  env: Env,
): string[] {
  const variables = [upstream ?? [], upstreams]
    .flat()
    .flatMap(({ securitySchemes, argumentVariables = {} }) => [
      ...Object.values(securitySchemes).flatMap((scheme) => Object.values(scheme.env ?? {})),
      ...Object.keys(argumentVariables),
    ]);
  return [...secretsOfEnvironment(env), ...variables.flatMap((name) => env[name] ?? [])];
}

/** Tokens that the server fetched are in no variable. */
const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

function recordHeaders(headers: Iterable<[string, string]>, redact: Redact): [string, string][] {
  return Array.from(headers, ([name, value]) => [
    name,
    CREDENTIALS.has(name.toLowerCase()) ? '[redacted]' : redact(value),
  ]);
}

function recordRequest(
  { method, url, headers, body = '' }: OutgoingRequest,
  redact: Redact,
): Exchange['request'] {
  return {
    method,
    url: redact(url.href),
    headers: recordHeaders(headers, redact),
    body: redact(decodeTextOrBase64(body)),
  };
}

function printAnswerBody(body: ApiAnswer['body']): string {
  switch (body.kind) {
    case 'json':
      return body.text ?? writeJson(body.value);
    case 'text':
      return body.text;
    case 'bytes':
      return Buffer.from(body.bytes).toString('base64');
    case 'none':
      return '';
  }
}

function decodeTextOrBase64(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : bytes.toString('base64');
}
