/** Requests to those who issue tokens: bounded, without redirects, through the proxies that requests to an API take. */
import { isRecord } from '../protocol/json-rpc.ts';
import { connectBy } from '../upstream/connect.ts';
import { Deadline } from '../upstream/deadline.ts';
import { HeaderList } from '../upstream/header-list.ts';
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

/** Of a POST of a form. */
export interface Question {
  body: string;
  /** Default: who asks is said by the body. */
  authorization?: string;
}

export interface IssuerAnswer {
  status: number;
  /** Undefined: no JSON object. */
  json: Record<string, unknown> | undefined;
}

/** Rejects with a `CheckFailure` when nobody answers in time. */
export type AskIssuer = (url: URL, question?: Question) => Promise<IssuerAnswer>;

export function issuersBy(env: Readonly<Record<string, string | undefined>>): AskIssuer {
  const connect = connectBy(env, TIMEOUT_MS);
  return async (url, question) => {
    const headers = new HeaderList();
    headers.set('Accept', 'application/json');
    if (question !== undefined) {
      headers.set('Content-Type', 'application/x-www-form-urlencoded');
      if (question.authorization !== undefined) headers.set('Authorization', question.authorization);
    }
    const wire = {
      method: question === undefined ? 'GET' : 'POST',
      url,
      target: url.pathname + url.search,
      headers,
      ...(question === undefined ? {} : { body: question.body }),
    };
    const deadline = new Deadline(TIMEOUT_MS);
    try {
      const { status, body } = await send(wire, { limits: LIMITS, deadline, connect });
      return { status, json: objectOf(body.toString('utf8')) };
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
