// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What one person has at one authorization server: tokens, their renewal, and the login that is under way. */
import { describeThrown } from '../../results.ts';
import { type Env, ToolError } from '../../types.ts';
import { type Client, IssuerError } from '../issuer-client.ts';
import { findIssuer, listFields, type LoginScheme, post, readTokens, type Tokens } from './issuer.ts';
import { beginLogin, type LoginSettings, type PendingLogin } from './pending.ts';
import type { Store } from './store.ts';

export interface LoginClient extends Client {
  /** The operator names these scopes, with blanks between: the login asks for no others. */
  scopes: string;
}

export function readClient({ env: names = {} }: LoginScheme, env: Env): LoginClient {
  const { clientId = '', clientSecret = '', scopes = '' } = names;
  return { clientId: env[clientId] ?? '', clientSecret: env[clientSecret] ?? '', scopes: env[scopes] ?? '' };
}

export class Account {
  readonly client: LoginClient;
  readonly #scheme: LoginScheme;
  readonly #settings: LoginSettings;
  readonly #store: Store;
  #tokens: Tokens | undefined;
  #renewal: Promise<Tokens | undefined> | undefined;
  #pending: Promise<PendingLogin> | undefined;

  constructor(scheme: LoginScheme, client: LoginClient, settings: LoginSettings, store: Store) {
    this.client = client;
    this.#scheme = scheme;
    this.#settings = settings;
    this.#store = store;
  }

  /** Undefined: the person must sign in first. @throws {ToolError} if the authorization server can't be asked */
  async get(scopes: readonly string[]): Promise<Tokens | undefined> {
    const tokens = await this.current();
    // One that was asked for and not granted would be refused again: the API answers for it.
    const { asked = [], granted = [] } = tokens ?? {};
    const isEnough = this.#choose(scopes).every((scope) => asked.includes(scope) || granted.includes(scope));
    if (tokens === undefined || !isEnough || Date.now() < tokens.until) return isEnough ? tokens : undefined;
    // One renewal serves all calls that wait: a refresh token may be used once.
    this.#renewal ??= this.#store
      .locked(() => this.#renew(tokens))
      .catch(throwToolError)
      .finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /** As they are, also if they have ended. */
  async current(): Promise<Tokens | undefined> {
    // Another process may have signed in meanwhile.
    const stored = this.#tokens ?? (await this.#store.read());
    return (this.#tokens ??= stored);
  }

  /** The API refused this token before its end. */
  refuse(access: string): void {
    if (this.#tokens?.access === access) this.#tokens = { ...this.#tokens, until: 0 };
  }

  /** All calls that need one share a login. */
  signIn(scopes: readonly string[]): Promise<PendingLogin> {
    if (this.#pending !== undefined) return this.#pending;
    const forget = (): void => void (this.#pending = undefined);
    const pending = this.#begin(scopes).catch(throwToolError);
    // Who waits for it hears of its failure; there may be nobody.
    pending.then(({ tokens }) => tokens).then(forget, forget);
    return (this.#pending = pending);
  }

  /** Returns why the tokens are still good at the authorization server, if they are. */
  async signOut(): Promise<string | undefined> {
    const tokens = await this.current();
    this.#tokens = undefined;
    await this.#store.locked(() => this.#store.remove());
    if (tokens === undefined) return undefined;
    const { access, refresh } = tokens;
    try {
      const issuer = await findIssuer(this.#scheme, this.client);
      if (issuer.namedBy === undefined)
        return 'the document names no metadata of the authorization server. Set x-mcp.login.issuer in its security scheme.';
      if (issuer.revocation === undefined) return 'the authorization server names no endpoint for it.';
      let failure: string | undefined;
      for (const [kind, token] of listFields({ refresh_token: refresh, access_token: access })) {
        const answer = await post(issuer.revocation, { token, token_type_hint: kind }, issuer);
        const isUnsupported = answer.json?.['error'] === 'unsupported_token_type';
        // Many take refresh tokens alone (RFC 7009, section 2.2.1).
        if (isUnsupported && kind === 'access_token' && refresh !== undefined) continue;
        if (answer.status !== 200) failure = `the authorization server answered ${answer.status}.`;
      }
      return failure;
    } catch (thrown) {
      return describeThrown(thrown);
    }
  }

  close(): void {
    this.#pending?.then((pending) => pending.close()).catch(() => undefined);
  }

  #choose(scopes: readonly string[]): readonly string[] {
    return this.client.scopes.match(/\S+/g) ?? scopes;
  }

  async #begin(wanted: readonly string[]): Promise<PendingLogin> {
    const issuer = await findIssuer(this.#scheme, this.client);
    // What was granted before is asked for again: the new tokens take the place of the old.
    const { asked = [], granted = [] } = this.#tokens ?? {};
    const offline = issuer.hasOfflineScope ? ['offline_access'] : [];
    const scopes = this.#choose([...new Set([...wanted, ...granted, ...asked, ...offline])]);
    const keep = async (tokens: Tokens): Promise<Tokens> => {
      this.#tokens = tokens;
      await this.#store.locked(() => this.#store.write(tokens)).catch(this.#store.report);
      return tokens;
    };
    return beginLogin({ ...this.#settings, issuer, scopes, keep });
  }

  async #renew(tokens: Tokens): Promise<Tokens | undefined> {
    const stored = await this.#store.read();
    // Somebody has signed out in a terminal.
    if (stored === undefined && this.#store.isWritten) return this.#forget();
    // Another process was first, and has used the refresh token.
    if (stored !== undefined && stored.access !== tokens.access && Date.now() < stored.until)
      return (this.#tokens = stored);
    const { refresh } = stored ?? tokens;
    if (refresh === undefined) return this.#forget();
    const issuer = await findIssuer(this.#scheme, this.client);
    const form = { grant_type: 'refresh_token', refresh_token: refresh, resource: issuer.resource };
    const answer = await post(issuer.token, form, issuer);
    // A login or a logout has ended meanwhile.
    if (this.#tokens?.access !== tokens.access) return this.#tokens;
    // GitHub answers errors with 200.
    const isError = answer.status === 200 && typeof answer.json?.['error'] === 'string';
    if (answer.status === 400 || answer.status === 401 || isError) return this.#forget();
    // Without rotation the old one stays.
    this.#tokens = { refresh, ...readTokens(answer, tokens.asked, tokens.granted) };
    await this.#store.write(this.#tokens);
    return this.#tokens;
  }

  async #forget(): Promise<undefined> {
    this.#tokens = undefined;
    await this.#store.remove().catch(this.#store.report);
  }
}

function throwToolError(thrown: unknown): never {
  if (!(thrown instanceof IssuerError)) throw thrown;
  throw new ToolError(`The API was not called: ${thrown.message} Try again later.`);
}
