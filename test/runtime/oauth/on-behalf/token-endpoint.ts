/** A token endpoint on a free port of the loopback. It judges each request by RFC 8693, section 2.1, and RFC 6749, section 2.3.1. */
import type { IncomingMessage } from 'node:http';
import { decodeJwt, importJWK, jwtVerify } from 'jose';
import { onTestFinished } from 'vitest';
import { httpServer } from '../../../support/loopback.ts';
import type { Issuer } from '../issuer.ts';

export const CLIENT = { id: 'mcp server', secret: 'sécret:+&=%/0123456789' };
const TYPES = ['access_token', 'jwt'].map((type) => `urn:ietf:params:oauth:token-type:${type}`);
/** Section 2.1: these alone may come several times. */
const REPEATABLE = ['audience', 'resource'];

export interface ExchangeRequest {
  subject: string;
  subjectToken: string;
  form: Record<string, string[]>;
  clientAuth: 'basic' | 'body';
}

export interface TokenEndpoint {
  url: string;
  /** Those that are as they must be. */
  requests: ExchangeRequest[];
  /** Faults of the other requests. */
  faults: string[];
  /** In place of a token. */
  answer: ((request: ExchangeRequest, count: number) => Answer | Promise<Answer>) | undefined;
}

export interface Answer {
  status: number;
  /** Default: nothing. */
  json?: unknown;
  text?: string;
}

/** A good answer, but for what is given. */
export function issued(token: unknown, rest: Record<string, unknown> = {}): Answer {
  const json = {
    access_token: token,
    issued_token_type: TYPES[0],
    token_type: 'Bearer',
    expires_in: 3600,
    ...rest,
  };
  return { status: 200, json };
}

/** The token that it issues: who it is for, and how many were issued before. */
export function issuedFor(subject: string, count: number): string {
  return `api-token-of-${subject}-${count}`;
}

export async function startTokenEndpoint(issuer: Issuer): Promise<TokenEndpoint> {
  const endpoint: TokenEndpoint = { url: '', requests: [], faults: [], answer: undefined };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const read = await readRequest(request, issuer);
    if (typeof read === 'string') {
      endpoint.faults.push(read);
      return { status: 400, json: { error: 'invalid_request', error_description: read } };
    }
    endpoint.requests.push(read);
    const count = endpoint.requests.length;
    return endpoint.answer?.(read, count) ?? issued(issuedFor(read.subject, count));
  };
  const { url, close } = await httpServer((request, response) => {
    void answer(request).then(({ status, json, text = json === undefined ? '' : JSON.stringify(json) }) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(text),
    );
  });
  onTestFinished(close);
  endpoint.url = `${url}/token`;
  return endpoint;
}

/** The fault of a request, in words. */
async function readRequest(request: IncomingMessage, issuer: Issuer): Promise<ExchangeRequest | string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  const { method, url, headers } = request;
  if (method !== 'POST' || url !== '/token') return `it is ${method} ${url}`;
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return 'it is no form';
  const form: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(body)) form[name] = [...(form[name] ?? []), value];
  const doubled = Object.keys(form).find(
    (name) => (form[name]?.length ?? 0) > 1 && !REPEATABLE.includes(name),
  );
  if (doubled !== undefined) return `${doubled} comes twice`;
  const one = (name: string): string => form[name]?.[0] ?? '';
  if (Object.values(form).flat().includes('')) return 'something is empty';
  if (one('grant_type') !== 'urn:ietf:params:oauth:grant-type:token-exchange') return 'another grant_type';
  for (const name of ['subject_token_type', 'requested_token_type'])
    if (!TYPES.includes(one(name))) return `${name} is ${one(name)}`;
  if (one('actor_token') !== '' || one('actor_token_type') !== '') return 'there is no actor';
  for (const resource of form['resource'] ?? [])
    if (!URL.canParse(resource) || resource.includes('#')) return `the resource ${resource}`;
  const clientAuth = clientAuthOf(headers.authorization, one('client_id'), one('client_secret'));
  if (clientAuth === undefined) return 'it does not prove which client it is, or twice';
  const subjectToken = one('subject_token');
  try {
    await jwtVerify(subjectToken, await importJWK(issuer.key.publicJwk), { issuer: issuer.url });
  } catch {
    return 'the subject_token is none of the issuer';
  }
  return { subject: String(decodeJwt(subjectToken).sub), subjectToken, form, clientAuth };
}

function clientAuthOf(
  authorization: string | undefined,
  id: string,
  secret: string,
): ExchangeRequest['clientAuth'] | undefined {
  if (authorization === undefined) return id === CLIENT.id && secret === CLIENT.secret ? 'body' : undefined;
  if (id !== '' || secret !== '') return undefined;
  const [scheme, credentials = ''] = authorization.split(' ');
  const parts = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  const [sentId, sentSecret] = parts.map((part) => new URLSearchParams(`v=${part}`).get('v'));
  const isRight = scheme === 'Basic' && sentId === CLIENT.id && sentSecret === CLIENT.secret;
  return isRight && parts.length === 2 ? 'basic' : undefined;
}
