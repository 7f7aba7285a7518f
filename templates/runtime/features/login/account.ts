// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What one person has at one authorization server: tokens, their renewal, and the login that is under way. */
import { describeThrown } from '../../results.ts';
import { ToolError } from '../../types.ts';
import { IssuerError } from '../issuer-client.ts';
import { findIssuer, listFields, type LoginClient, post, readTokens, type Tokens } from './issuer.ts';
import { beginLogin, type LoginSettings, type PendingLogin } from './pending.ts';
import type { Store } from './store.ts';

export type Account = ReturnType<typeof openAccount>;

export function openAccount(client: LoginClient, settings: LoginSettings, store: Store) {
  /** The API refused it before its end. */
  let refusedToken: string | undefined;
  let renewal: Promise<Tokens | undefined> | undefined;
  let pending: Promise<PendingLogin> | undefined;
  const choose = (scopes: readonly string[]): readonly string[] => client.scopes.match(/\S+/g) ?? scopes;
  const isValid = ({ until, access }: Tokens): boolean => Date.now() < until && access !== refusedToken;

  async function begin(wanted: readonly string[]): Promise<PendingLogin> {
    const issuer = await findIssuer(client);
    // What was granted before is asked for again: the new tokens take the place of the old.
    const { asked = [], granted = [] } = (await store.read()) ?? {};
    const offline = issuer.hasOfflineScope ? ['offline_access'] : [];
    const scopes = choose([...new Set([...wanted, ...granted, ...asked, ...offline])]);
    const keep = (tokens: Tokens): Promise<Tokens> => store.locked(() => store.write(tokens));
    return beginLogin({ ...settings, issuer, scopes, keep });
  }

  async function renew(): Promise<Tokens | undefined> {
    const tokens = await store.read();
    // Another process was first, and has used the refresh token, or has signed out.
    if (tokens === undefined || isValid(tokens)) return tokens;
    const forget = async (): Promise<undefined> => void (await store.remove().catch(store.report));
    const { access, refresh, asked, granted } = tokens;
    if (refresh === undefined) return forget();
    const issuer = await findIssuer(client);
    const form = { grant_type: 'refresh_token', refresh_token: refresh, resource: issuer.resource };
    const answer = await post(issuer.token, form, issuer);
    // A login or a logout has ended meanwhile.
    const newest = await store.read();
    if (newest?.access !== access) return newest;
    // GitHub answers errors with 200.
    const isError = answer.status === 200 && typeof answer.json?.['error'] === 'string';
    if (answer.status === 400 || answer.status === 401 || isError) return forget();
    // Some authorization servers renew a token by giving the same one, which the API may accept again.
    refusedToken = undefined;
    // Without rotation the old refresh token stays.
    return store.write({ refresh, ...readTokens(answer, asked, granted) });
  }

  return {
    client,
    store,
    /** Undefined: the person must sign in first. @throws {ToolError} if the authorization server can't be asked */
    async get(scopes: readonly string[]): Promise<Tokens | undefined> {
      const tokens = await store.read();
      if (tokens === undefined) return undefined;
      // One that was asked for and not granted would be refused again: the API answers for it.
      const answered = [...tokens.asked, ...tokens.granted];
      if (!choose(scopes).every((scope) => answered.includes(scope))) return undefined;
      if (isValid(tokens)) return tokens;
      // One renewal serves all calls that wait: a refresh token may be used once.
      renewal ??= store
        .locked(renew)
        .catch(throwToolError)
        .finally(() => (renewal = undefined));
      return renewal;
    },
    refuse(access: string): void {
      refusedToken = access;
    },
    /** All calls that need one share a login. */
    signIn(scopes: readonly string[]): Promise<PendingLogin> {
      if (pending !== undefined) return pending;
      const forget = (): void => void (pending = undefined);
      pending = begin(scopes).catch(throwToolError);
      // Callers get the failure. It is handled here, too, because there may be no caller left.
      pending.then(({ tokens }) => tokens).then(forget, forget);
      return pending;
    },
    /** @throws {ToolError} that says why the tokens are still good at the authorization server, if they are */
    async signOut(): Promise<void> {
      const tokens = await store.locked(() => store.remove());
      if (tokens === undefined) return;
      const { access, refresh } = tokens;
      try {
        const issuer = await findIssuer(client);
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
    },
    close(): void {
      pending?.then((login) => login.close()).catch(() => undefined);
    },
  };
}

function throwToolError(thrown: unknown): never {
  if (!(thrown instanceof IssuerError)) throw thrown;
  throw new ToolError(`The API was not called: ${thrown.message} Try again later.`);
}
