// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What one person has at one authorization server: tokens, their renewal, and the login that is under way. */
import type { WantedCredentials } from '../../credentials.ts';
import { describeThrown } from '../../results.ts';
import { ToolError } from '../../types.ts';
import { type Client, IssuerError } from '../issuer-client.ts';
import { type Endpoints, findEndpoints, type LoginScheme } from './endpoints.ts';
import { beginLogin, type LoginSettings, type PendingLogin } from './pending.ts';
import type { Store } from './store.ts';
import { post, readTokens, type Tokens } from './tokens.ts';

type Configured = Pick<WantedCredentials, 'scheme' | 'env'>;

export function clientOf({ scheme: { env: names = {} }, env }: Configured): Client {
  const { clientId = '', clientSecret = '' } = names;
  return { clientId: env[clientId] ?? '', clientSecret: env[clientSecret] ?? '' };
}

export class Account {
  readonly client: Client;
  readonly #scheme: LoginScheme;
  /** Of the environment: these are asked for, and no others. */
  readonly #fixedScopes: readonly string[];
  readonly #settings: LoginSettings;
  readonly #store: Store;
  #tokens: Tokens | undefined;
  #endpoints: Promise<Endpoints> | undefined;
  #renewal: Promise<Tokens | undefined> | undefined;
  #pending: Promise<PendingLogin> | undefined;

  constructor({ scheme, env }: Configured, settings: LoginSettings, store: Store) {
    this.client = clientOf({ scheme, env });
    this.#scheme = scheme;
    this.#fixedScopes = (env[scheme.env?.['scopes'] ?? ''] ?? '').split(' ').filter((scope) => scope !== '');
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
    const forget = (): void => void (this.#pending = undefined);
    if (this.#pending !== undefined) return this.#pending;
    const pending = this.#begin(scopes).catch(throwToolError);
    this.#pending = pending;
    // Who waits for it hears of its failure; there may be nobody.
    pending.then(({ tokens }) => tokens).then(forget, forget);
    return pending;
  }

  /** Returns why the tokens are still good at the authorization server, if they are. */
  async signOut(): Promise<string | undefined> {
    const tokens = await this.current();
    this.#tokens = undefined;
    await this.#store.locked(() => this.#store.remove());
    if (tokens === undefined) return undefined;
    const { access, refresh } = tokens;
    try {
      const endpoints = await this.#findEndpoints();
      const { revocation } = endpoints;
      if (revocation === undefined) return 'the authorization server names no endpoint for it.';
      const revoke = async (kind: string, token: string): Promise<string | undefined> => {
        const { status, json } = await post(
          revocation,
          { token, token_type_hint: kind },
          this.client,
          endpoints,
        );
        // Many take refresh tokens alone (RFC 7009, section 2.2.1).
        const isSpared =
          token !== refresh && refresh !== undefined && json?.['error'] === 'unsupported_token_type';
        return status === 200 || isSpared ? undefined : `the authorization server answered ${status}.`;
      };
      const failure = await revoke('access_token', access).catch(describeThrown);
      return (refresh && (await revoke('refresh_token', refresh).catch(describeThrown))) || failure;
    } catch (thrown) {
      return describeThrown(thrown);
    }
  }

  close(): void {
    this.#pending?.then((pending) => pending.close()).catch(() => undefined);
  }

  #choose(scopes: readonly string[]): readonly string[] {
    return this.#fixedScopes.length > 0 ? this.#fixedScopes : scopes;
  }

  async #begin(wanted: readonly string[]): Promise<PendingLogin> {
    const endpoints = await this.#findEndpoints();
    // What was granted before is asked for again: the new tokens take the place of the old.
    const { asked = [], granted = [] } = this.#tokens ?? {};
    const offline = endpoints.hasOfflineScope ? ['offline_access'] : [];
    const scopes = this.#choose([...new Set([...wanted, ...granted, ...asked, ...offline])]);
    const { resource } = this.#scheme.login ?? {};
    const keep = async (tokens: Tokens): Promise<Tokens> => {
      this.#tokens = tokens;
      await this.#store.locked(() => this.#store.write(tokens)).catch(this.#store.report);
      return tokens;
    };
    return beginLogin({ settings: this.#settings, client: this.client, endpoints, scopes, resource, keep });
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
    const endpoints = await this.#findEndpoints();
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const { resource } = this.#scheme.login ?? {};
    const answer = await post(endpoints.token, { ...form, resource }, this.client, endpoints);
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

  #findEndpoints(): Promise<Endpoints> {
    this.#endpoints ??= findEndpoints(this.#scheme).catch((thrown: unknown) => {
      this.#endpoints = undefined;
      throw thrown;
    });
    return this.#endpoints;
  }
}

function throwToolError(thrown: unknown): never {
  if (!(thrown instanceof IssuerError)) throw thrown;
  throw new ToolError(`The API was not called: ${thrown.message} Try again later.`);
}
