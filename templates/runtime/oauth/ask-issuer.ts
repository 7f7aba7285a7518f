/** Requests to those who issue tokens: bounded, without redirects, through the proxies that requests to an API take. */
import { isRecord } from '../contract/json-value.ts';
import { createDispatchers, type Sender } from '../upstream/dispatcher.ts';
import { Deadline } from '../upstream/deadline.ts';
import { HeaderList } from '../upstream/wire-request.ts';
import { send } from '../upstream/send.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../upstream-limits.ts';
import { CheckFailure } from './token-refusal.ts';

/** A request waits for it, and whoever sent it does. */
const TIMEOUT_MS = 5_000;

const LIMITS: UpstreamLimits = {
  ...defaultUpstreamLimits,
  timeoutMs: TIMEOUT_MS,
  responseBytes: 1024 * 1024,
  redirects: 0,
  retries: 1,
};

export interface Question {
  /** Of a POST of a form. Absent: it is a GET. */
  body?: string;
  /** Default: who asks is said by the body. */
  authorization?: string;
  /** The server that named the URL. Absent: the operator did. */
  sentBy?: Sender | undefined;
}

export interface IssuerAnswer {
  status: number;
  /** As of `WireAnswer`. */
  address?: string | undefined;
  /** Undefined: no JSON object. */
  json: Record<string, unknown> | undefined;
}

/** Rejects with a `CheckFailure` when nobody answers in time. */
export type AskIssuer = (url: URL, question?: Question) => Promise<IssuerAnswer>;

export function issuersBy(env: Readonly<Record<string, string | undefined>>): AskIssuer {
  const chooseDispatcher = createDispatchers(env, TIMEOUT_MS);
  return async (url, { body: form, authorization, sentBy } = {}) => {
    const headers = new HeaderList();
    headers.set('Accept', 'application/json');
    if (form !== undefined) headers.set('Content-Type', 'application/x-www-form-urlencoded');
    if (authorization !== undefined) headers.set('Authorization', authorization);
    const wire = {
      method: form === undefined ? 'GET' : 'POST',
      url,
      target: url.pathname + url.search,
      headers,
      ...(form === undefined ? {} : { body: form }),
      ...(sentBy === undefined ? {} : { sentBy }),
    };
    const deadline = new Deadline(TIMEOUT_MS);
    try {
      const { status, address, body } = await send(wire, { limits: LIMITS, deadline, chooseDispatcher });
      return { status, address, json: objectOf(body.toString('utf8')) };
    } catch (cause) {
      // No cause: what is said of a request may repeat it.
      const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
      throw new CheckFailure(`${url.origin}${url.pathname} could not be asked${code}.`);
    } finally {
      deadline.clear();
    }
  };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
