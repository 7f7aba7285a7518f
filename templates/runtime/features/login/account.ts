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
  readonly store: Store;
  readonly #scheme: LoginScheme;
  readonly #settings: LoginSettings;
  /** The API refused it before its end. */
  #refusedToken: string | undefined;
  #renewal: Promise<Tokens | undefined> | undefined;
  #pending: Promise<PendingLogin> | undefined;

  constructor(scheme: LoginScheme, client: LoginClient, settings: LoginSettings, store: Store) {
    this.client = client;
    this.#scheme = scheme;
    this.#settings = settings;
    this.store = store;
  }

  /** Undefined: the person must sign in first. @throws {ToolError} if the authorization server can't be asked */
  async get(scopes: readonly string[]): Promise<Tokens | undefined> {
    const tokens = await this.store.read();
    if (tokens === undefined) return undefined;
    // One that was asked for and not granted would be refused again: the API answers for it.
    const answered = [...tokens.asked, ...tokens.granted];
    if (!this.#choose(scopes).every((scope) => answered.includes(scope))) return undefined;
    if (this.#isValid(tokens)) return tokens;
    // One renewal serves all calls that wait: a refresh token may be used once.
    this.#renewal ??= this.store
      .locked(() => this.#renew())
      .catch(throwToolError)
      .finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  refuse(access: string): void {
    this.#refusedToken = access;
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

  /** @throws {ToolError} that says why the tokens are still good at the authorization server, if they are */
  async signOut(): Promise<void> {
    const tokens = await this.store.locked(() => this.store.remove());
    if (tokens === undefined) return;
    const { access, refresh } = tokens;
    try {
      const issuer = await findIssuer(this.#scheme, this.client);
      if (issuer.revocation === undefined)
        throw new ToolError('no metadata name an endpoint for it (x-mcp.login.issuer).');
      let refusal = '';
      for (const [kind, token] of listFields({ refresh_token: refresh, access_token: access })) {
        const { status, json } = await post(issuer.revocation, { token, token_type_hint: kind }, issuer);
        // Many take refresh tokens alone (RFC 7009, section 2.2.1).
        const isSpared = token !== refresh && refresh && json?.['error'] === 'unsupported_token_type';
        if (status !== 200 && !isSpared) refusal = `the authorization server answered ${status}.`;
      }
      if (refusal !== '') throw new ToolError(refusal);
    } catch (thrown) {
      throw new ToolError(`forgotten here, but not revoked: ${describeThrown(thrown)}`);
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
    const { asked = [], granted = [] } = (await this.store.read()) ?? {};
    const offline = issuer.hasOfflineScope ? ['offline_access'] : [];
    const scopes = this.#choose([...new Set([...wanted, ...granted, ...asked, ...offline])]);
    const keep = (tokens: Tokens): Promise<Tokens> => this.store.locked(() => this.store.write(tokens));
    return beginLogin({ ...this.#settings, issuer, scopes, keep });
  }

  #isValid({ until, access }: Tokens): boolean {
    return Date.now() < until && access !== this.#refusedToken;
  }

  async #renew(): Promise<Tokens | undefined> {
    const tokens = await this.store.read();
    // Another process was first, and has used the refresh token, or has signed out.
    if (tokens === undefined || this.#isValid(tokens)) return tokens;
    const { access, refresh, asked, granted } = tokens;
    if (refresh === undefined) return this.#forget();
    const issuer = await findIssuer(this.#scheme, this.client);
    const form = { grant_type: 'refresh_token', refresh_token: refresh, resource: issuer.resource };
    const answer = await post(issuer.token, form, issuer);
    // A login or a logout has ended meanwhile.
    const newest = await this.store.read();
    if (newest?.access !== access) return newest;
    // GitHub answers errors with 200.
    const isError = answer.status === 200 && typeof answer.json?.['error'] === 'string';
    if (answer.status === 400 || answer.status === 401 || isError) return this.#forget();
    // Some authorization servers give the same access token again.
    this.#refusedToken = undefined;
    // Without rotation the old refresh token stays.
    return this.store.write({ refresh, ...readTokens(answer, asked, granted) });
  }

  async #forget(): Promise<undefined> {
    await this.store.remove().catch(this.store.report);
  }
}

function throwToolError(thrown: unknown): never {
  if (!(thrown instanceof IssuerError)) throw thrown;
  throw new ToolError(`The API was not called: ${thrown.message} Try again later.`);
}
