// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One login from its address to its tokens: by an authorization code with PKCE, or for devices (RFC 8628). */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from '../../session.ts';
import { ToolError } from '../../types.ts';
import { parseSecureUrl } from '../issuer-client.ts';
import { type Issuer, listFields, post, readTokens, refusal, secretsOf, type Tokens } from './issuer.ts';
import { openListener, type Page, type Redirect } from './listener.ts';

export const LOGIN_LIMITS = {
  /** A call waits for the person for this time. */
  waitMs: 45_000,
  /** An address of a login ends after it. */
  openMs: 10 * 60_000,
  /** RFC 8628, section 3.5. */
  slowDownMs: 5_000,
};

export interface LoginSettings {
  redirect: Redirect;
  flow: 'code' | 'device';
  /** Of the server, for the page. */
  title: string;
  /** Addresses of the API. */
  api: string;
}

export interface LoginRequest extends LoginSettings {
  issuer: Issuer;
  scopes: readonly string[];
  /** Called before the person and the calls hear that the login is done. */
  keep(tokens: Tokens): Promise<Tokens>;
}

export interface PendingLogin {
  /** Where the person begins. It names the question that shows it, too: no other login has it. */
  url: string;
  /** Words that end the request to open it: where, and the code that the person enters there. */
  how: string;
  isDevice: boolean;
  /** A client has the address. */
  isShown: boolean;
  tokens: Promise<Tokens>;
  close(): void;
}

const OVER = 'The time for signing in is over.';
const ENDED = 'The sign-in was ended.';

/** @throws {ToolError | IssuerError} if it can't begin */
export async function beginLogin(request: LoginRequest): Promise<PendingLogin> {
  const { authorization, device } = request.issuer;
  if (authorization !== undefined && request.flow === 'code') return beginByCode(request, authorization);
  if (device !== undefined) return beginOnDevice(request, device);
  throw new ToolError('The authorization server has no flow for devices: leave out --login-flow device.');
}

async function beginByCode(request: LoginRequest, authorization: URL): Promise<PendingLogin> {
  const { issuer, scopes, redirect, title, api } = request;
  const { client, resource } = issuer;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomId();
  let isUsed = false;
  let succeed: (tokens: Tokens) => void = () => undefined;
  let refuse: (reason: ToolError) => void = () => undefined;
  const result = new Promise<Tokens>((...ends) => ([succeed, refuse] = ends));
  const fail = (reason: string): Page => {
    refuse(new ToolError(reason));
    return { status: 400, title: 'You are not signed in', text: `${reason} Go back to your client.` };
  };
  const receive = async (answer: URLSearchParams): Promise<Page> => {
    // Of another login, or made up: the person may still sign in.
    if (answer.get('state') !== state || isUsed) return STRANGE;
    isUsed = true;
    const [code, iss] = [answer.get('code'), answer.get('iss')];
    const mixUp = `the issuer of the answer must be ${issuer.name ?? authorization.origin}, or what x-mcp.login.issuer says; it is ${iss ?? 'not named'}`;
    const error = isOfIssuer(iss, issuer, authorization) ? answer.get('error') : mixUp;
    if (code === null || error !== null) return fail(refusal(error, secretsOf(client)));
    const form = { grant_type: 'authorization_code', code, redirect_uri: listener.redirectUri, resource };
    try {
      const reply = await post(issuer.token, { ...form, code_verifier: verifier }, issuer);
      succeed(await request.keep(readTokens(reply, scopes)));
      return DONE;
    } catch (thrown) {
      return fail((thrown as Error).message);
    }
  };
  const page = new URL(authorization);
  const asked = scopes.length === 0 ? 'no particular scopes' : `these scopes: ${scopes.join(', ')}`;
  const start = (): Page => ({
    title: `Sign in for ${title}`,
    text: `${title} wants to call ${api} for you. It asks for ${asked}.`,
    link: { url: page.href, text: `Go on to ${authorization.host}` },
  });
  const listener = await openListener(redirect, { start, receive });
  // OpenID Connect Core, section 11: else the scope is ignored. The document may say otherwise.
  const prompt = page.searchParams.get('prompt') ?? (scopes.includes('offline_access') ? 'consent' : '');
  const query = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: listener.redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: scopes.join(' '),
    ...{ resource, prompt },
  };
  for (const [name, value] of listFields(query)) page.searchParams.set(name, value);
  setTimeout(() => fail(OVER), LOGIN_LIMITS.openMs).unref();
  const tokens = result.finally(listener.close);
  return {
    ...{ url: listener.startUrl, how: 'in a browser on this machine' },
    ...{ isDevice: false, isShown: false, tokens },
    close: () => void fail(ENDED),
  };
}

const DONE: Page = { title: 'You are signed in', text: 'You may close this page. Go back to your client.' };
const STRANGE: Page = { status: 400, title: 'This is no open sign-in', text: 'Begin in your client.' };

/** A server that names itself must be the one that was asked (RFC 9207): else its code would go to another one's token endpoint. */
function isOfIssuer(iss: string | null, { name, namesItself, token }: Issuer, { origin }: URL): boolean {
  if (iss === null) return !namesItself;
  if (name !== undefined) return iss === name;
  return URL.canParse(iss) && [origin, token.origin].includes(new URL(iss).origin);
}

async function beginOnDevice({ issuer, scopes, keep }: LoginRequest, device: URL): Promise<PendingLogin> {
  const { client, resource } = issuer;
  // Also a client that authenticates names itself there (section 3.1).
  const request = { client_id: client.clientId, scope: scopes.join(' '), resource };
  const { status, json = {} } = await post(device, request, issuer);
  const { device_code: code, user_code: userCode, interval, expires_in: life } = json;
  const url = parseSecureUrl(json['verification_uri_complete']) ?? parseSecureUrl(json['verification_uri']);
  if (status !== 200 || typeof code !== 'string' || typeof userCode !== 'string' || url === undefined)
    throw new ToolError(`The authorization server answered ${status} and gave no code for a device.`);
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code, resource };
  const end = Date.now() + Math.min(Number(life) * 1000 || LOGIN_LIMITS.openMs, LOGIN_LIMITS.openMs);
  const ending = new AbortController();
  const poll = async (pauseMs: number): Promise<Tokens> => {
    await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {
      throw new ToolError(ENDED);
    });
    // An authorization server that is away for a moment is asked again.
    const answer = await post(issuer.token, form, issuer).catch(() => undefined);
    // GitHub answers errors with 200.
    if (typeof answer?.json?.['access_token'] === 'string') return keep(readTokens(answer, scopes));
    const error = answer?.json?.['error'];
    const isPending = answer === undefined || answer.status >= 500 || error === 'authorization_pending';
    if (error === 'expired_token' || Date.now() > end) throw new ToolError(OVER);
    if (error === 'slow_down') return poll(pauseMs + LOGIN_LIMITS.slowDownMs);
    if (isPending) return poll(pauseMs);
    throw new ToolError(refusal(error, [code, ...secretsOf(client)]));
  };
  return {
    url: url.href,
    // People and models read it.
    how: `in a browser and enter the code ${userCode.replace(/[^\w -]/g, '').slice(0, 40)}`,
    tokens: poll(Number(interval) * 1000 || 5_000),
    ...{ isDevice: true, isShown: false },
    close: () => ending.abort(),
  };
}
