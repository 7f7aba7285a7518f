// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests to the authorization server, and what they bring. */
import { createRedactor } from '../../results.ts';
import { ToolError } from '../../types.ts';
import { askAsClient, type Client, encodeClient, type IssuerAnswer, lifetimeOf } from '../issuer-client.ts';
import type { Endpoints } from './endpoints.ts';

export interface Tokens {
  access: string;
  refresh?: string;
  /** Milliseconds since 1970. */
  until: number;
  /** Scopes. */
  asked: readonly string[];
  granted: readonly string[];
}

/** Members that are undefined are left out. */
export type Form = Record<string, string | undefined>;

export function listFields(form: Form): [name: string, value: string][] {
  return Object.entries(form).flatMap(([name, value]) => (value ? [[name, value]] : []));
}

/** Posts a form with the credentials of the client. */
export function post(url: URL, form: Form, client: Client, endpoints: Endpoints): Promise<IssuerAnswer> {
  return askAsClient(url, listFields(form), client, endpoints);
}

/** Longer than anybody uses a process. */
const FAR_MS = 10 * 365 * 24 * 3600_000;

/** @param before what is granted if the answer does not say. @throws {ToolError} without a bearer token */
export function readTokens(
  { status, json = {} }: IssuerAnswer,
  asked: readonly string[],
  before = asked,
): Tokens {
  const {
    access_token: access,
    token_type: type = 'Bearer',
    refresh_token,
    scope,
    expires_in: seconds,
  } = json;
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
  if (status !== 200 || typeof access !== 'string' || access === '' || !isBearer)
    throw new ToolError(`The authorization server answered ${status} and gave no bearer token.`);
  const refresh = typeof refresh_token === 'string' ? refresh_token : undefined;
  // One that can't be renewed, and has no end, is used until the API refuses it.
  const isEndless = (seconds ?? undefined) === undefined && refresh === undefined;
  const until = Date.now() + (isEndless ? FAR_MS : Math.min(lifetimeOf(seconds), FAR_MS));
  const granted = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : before;
  return { access, until, asked, granted, ...(refresh !== undefined && { refresh }) };
}

export function secretsOf(client: Client, tokens?: Tokens): string[] {
  const ofClient = client.clientSecret === '' ? [] : [client.clientSecret, encodeClient(client)];
  return [tokens?.access ?? [], tokens?.refresh ?? [], ofClient].flat();
}

/** Signing in came to nothing. `error` is of the authorization server: it is shown without secrets, and short. */
export function refusal(error: unknown, secrets: readonly string[]): string {
  const text = typeof error === 'string' ? createRedactor(secrets)(error) : 'no reason';
  return `Signing in was refused (${text.replace(/[^\x20-\x7e]/g, '').slice(0, 100)}).`;
}
