// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** People sign in to the API instead of pasting a token: over stdio, where one person uses the server. */
import { listApis } from '../../call-api.ts';
import type { CredentialSource, WantedCredentials } from '../../credentials.ts';
import type { Feature } from '../../feature.ts';
import { type ApiRequest, chooseServer, setHeader } from '../../request.ts';
import type { Server } from '../../server.ts';
import { type Flags, getSetting, parseChoice, type Setting } from '../../settings.ts';
import { type ApiBinding, type Env, ToolError, UsageError } from '../../types.ts';
import { Account, readClient } from './account.ts';
import { type Login, makeCommands, scopesOfServer } from './commands.ts';
import { type LoginScheme, secretsOf } from './issuer.ts';
import type { Redirect } from './listener.ts';
import { meet } from './meet.ts';
import type { LoginSettings } from './pending.ts';
import { Store } from './store.ts';

const DEFAULT_REDIRECT = 'http://127.0.0.1/callback';
const SETTINGS: readonly Setting[] = [
  {
    flag: 'login-flow',
    value: 'code|device',
    variable: 'MCP_LOGIN_FLOW',
    help: 'How people sign in to the API; device: by a code, on any machine.',
    default: 'code',
  },
  {
    flag: 'login-redirect',
    value: 'url',
    variable: 'MCP_LOGIN_REDIRECT',
    help: 'Where the browser comes back to, on this machine. Without a port: a free one.',
    default: DEFAULT_REDIRECT,
  },
  { flag: 'remember', variable: 'MCP_LOGIN_REMEMBER', help: 'Keep logins on this machine. Variable: 1.' },
  { flag: 'scheme', value: 'name', help: 'Of the commands: this security scheme alone.' },
];

export function login(): Feature {
  const logins = new Logins();
  return {
    name: 'login',
    settings: SETTINGS,
    parts: { credentials: { login: logins } },
    commands: makeCommands((server) => logins.list(server)),
    start: (server, flags, env) => logins.open(server, flags, env),
    stop: () => logins.close(),
  };
}

class Logins implements CredentialSource {
  readonly #accounts = new Map<string, Account>();
  #open: Pick<LoginSettings, 'flow' | 'redirect'> | undefined;
  #isKept = false;
  readonly isAvailable = isSet;

  /** @throws {UsageError} over HTTP */
  open(server: Server, flags: Flags, env: Env): void {
    const { value: transport = 'stdio' } = getSetting(flags, env, 'transport', '');
    const isUsed = ({ scheme }: { scheme: LoginScheme }): boolean =>
      isSet(scheme, env) && !env[scheme.env?.['token'] ?? ''];
    const { clientId, token } = listSchemes(server).find(isUsed)?.scheme.env ?? {};
    if (transport !== 'stdio' && clientId !== undefined)
      throw new UsageError(
        `${clientId}: people sign in to the API over stdio only. Over ${transport} all callers would use one person's login, and nothing proves that who opens the page is who asked. Set ${token}, or leave ${clientId} out.`,
      );
    this.#isKept = flags['remember'] === true || env['MCP_LOGIN_REMEMBER'] === '1';
    this.#open = {
      flow: parseChoice(getSetting(flags, env, 'login-flow', 'MCP_LOGIN_FLOW'), ['code', 'device']),
      redirect: readRedirect(getSetting(flags, env, 'login-redirect', 'MCP_LOGIN_REDIRECT')),
    };
  }

  /** For commands, which keep what they get. @throws {UsageError} if nobody can sign in */
  list(server: Server): Login[] {
    this.#isKept = true;
    const { env, flags } = server;
    const schemes = listSchemes(server);
    const logins = schemes.filter(
      ({ name, scheme }) => isSet(scheme, env) && name === (flags['scheme'] ?? name),
    );
    const names = schemes.map(({ name, scheme }) => `${name} (${scheme.env?.['clientId']})`);
    if (logins.length === 0)
      throw new UsageError(
        `Nobody signs in. Set the variable of a scheme that has a login, or correct --scheme. This server has ${names.join(', ') || 'none'}.`,
      );
    return logins.map(({ name, scheme, api }) => ({
      name,
      account: this.accountOf(server, scheme),
      scopes: scopesOfServer(server, name, api),
    }));
  }

  close(): void {
    for (const account of this.#accounts.values()) account.close();
  }

  async apply({ headers }: ApiRequest, { call, scheme, scopes }: WantedCredentials): Promise<string[]> {
    const account = this.accountOf(call.request.server, scheme);
    let tokens = await account.get(scopes);
    for (let logins = 0; tokens === undefined; logins++) {
      // One that was under way may lack scopes of this call, but the next has them.
      if (logins === 2) throw new ToolError('Nothing was sent: the login ended at once. Try again later.');
      await meet(call, await account.signIn(scopes));
      tokens = await account.get(scopes);
    }
    setHeader(headers, 'authorization', `Bearer ${tokens.access}`);
    return secretsOf(account.client, tokens);
  }

  renew({ headers }: ApiRequest, wanted: WantedCredentials): boolean {
    const account = this.accountOf(wanted.call.request.server, wanted.scheme);
    account.refuse((headers.get('authorization') ?? '').replace(/^Bearer /, ''));
    return true;
  }

  /** A login is for what the server calls: the next version of a served document may call others. @throws {Error} before the start */
  accountOf(server: Server, scheme: LoginScheme): Account {
    if (this.#open === undefined) throw new Error('The feature login has not been started.');
    const { name, title = name } = server.definition.info;
    const [addresses, client] = [listAddresses(server), readClient(scheme, server.env)];
    const binding = [scheme.login, client, addresses];
    const key = JSON.stringify(binding);
    const existing = this.#accounts.get(key);
    if (existing !== undefined) return existing;
    const settings = { ...this.#open, title, api: addresses.join(', ') || 'its API' };
    const account = new Account(scheme, client, settings, new Store(server, binding, this.#isKept));
    this.#accounts.set(key, account);
    return account;
  }
}

function listAddresses({ bindings, flags, env }: Server): string[] {
  const { value: baseUrl } = getSetting(flags, env, 'base-url', '');
  return listApis(bindings).flatMap((api) => {
    try {
      const { origin, pathname } = chooseServer({ api, env, baseUrl });
      return origin + pathname;
    } catch {
      // Its calls say what is missing.
      return [];
    }
  });
}

/** Those in which a person can sign in. */
function listSchemes({ bindings }: Server): { name: string; scheme: LoginScheme; api: ApiBinding }[] {
  const schemes = listApis(bindings).flatMap((api) =>
    Object.entries(api.securitySchemes).map(([name, scheme]) => ({ name, scheme, api })),
  );
  return schemes.filter(({ scheme }) => 'login' in scheme);
}

function isSet(scheme: LoginScheme, env: Env): boolean {
  return scheme.login !== undefined && readClient(scheme, env).clientId !== '';
}

/** @throws {UsageError} for a place that is not on this machine */
function readRedirect({ name, value = DEFAULT_REDIRECT }: ReturnType<typeof getSetting>): Redirect {
  const place = /^http:\/\/(127\.0\.0\.1|localhost)(?::(\d+))?(?:\/[^?#]*)?$/.exec(value);
  if (place === null || !URL.canParse(value))
    throw new UsageError(`${name} must be like http://127.0.0.1:8976/callback or http://localhost/callback.`);
  const [, hostname = '', port] = place;
  return { hostname, port: Number(port ?? 0), path: new URL(value).pathname };
}
