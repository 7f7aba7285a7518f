// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** People sign in to the API instead of pasting a token: over stdio, where one person uses the server. */
import { listApis, readOptions } from '../../call-api.ts';
import { type CredentialSource, variableOf, type WantedCredentials } from '../../credentials.ts';
import type { Feature } from '../../feature.ts';
import { type ApiRequest, chooseServer, setHeader } from '../../request.ts';
import type { Server } from '../../server.ts';
import { type Flags, getSetting, parseChoice, type Setting } from '../../settings.ts';
import { type ApiBinding, type ApiServer, type Env, ToolError, UsageError } from '../../types.ts';
import { Account, readClient } from './account.ts';
import { type Login, makeCommands, scopesOfServer } from './commands.ts';
import { type LoginScheme, secretsOf } from './issuer.ts';
import { readRedirect } from './listener.ts';
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

  isAvailable(scheme: LoginScheme, env: Env): boolean {
    return readClient(scheme, env).clientId !== '';
  }

  /** @throws {UsageError} over HTTP, and for settings with which nobody could sign in */
  open(server: Server, flags: Flags, env: Env): void {
    const { value: transport = 'stdio' } = getSetting(flags, env, 'transport', '');
    const schemes = listSchemes(server).map(({ scheme }) => scheme);
    const used = schemes.filter((scheme) => this.isAvailable(scheme, env) && !env[variableOf(scheme)]);
    const { clientId, token } = used[0]?.env ?? {};
    if (transport !== 'stdio' && clientId !== undefined)
      throw new UsageError(
        `${clientId}: people sign in to the API over stdio only. Over ${transport} all callers would use one person's login, and nothing proves that who opens the page is who asked. Set ${token}, or leave ${clientId} out.`,
      );
    if (transport !== 'stdio') return;
    const flowSetting = getSetting(flags, env, 'login-flow', 'MCP_LOGIN_FLOW');
    const flow = parseChoice(flowSetting, ['code', 'device']);
    // Metadata may name one.
    const mayHaveDevices = ({ login: { deviceAuthorizationUrl, metadataUrl, issuer } = {} }: LoginScheme) =>
      (deviceAuthorizationUrl ?? metadataUrl ?? issuer) !== undefined;
    if (flow === 'device' && used.length > 0 && !used.some(mayHaveDevices))
      throw new UsageError(`${flowSetting.name} can't be device: the API has no flow for devices.`);
    this.#isKept = flags['remember'] === true || env['MCP_LOGIN_REMEMBER'] === '1';
    const redirect = getSetting(flags, env, 'login-redirect', 'MCP_LOGIN_REDIRECT');
    this.#open = { flow, redirect: readRedirect(redirect.name, redirect.value ?? DEFAULT_REDIRECT) };
  }

  /** For commands, which keep what they get. @throws {UsageError} if nobody can sign in */
  list(server: Server): Login[] {
    this.#isKept = true;
    const { env, flags } = server;
    const schemes = listSchemes(server);
    const logins = schemes.filter(
      ({ name, scheme }) => this.isAvailable(scheme, env) && name === (flags['scheme'] ?? name),
    );
    const names = schemes.map(({ name, scheme }) => `${name} (${scheme.env?.['clientId']})`);
    if (logins.length === 0)
      throw new UsageError(
        `Nobody signs in. Set the variable of a scheme that has a login, or correct --scheme. This server has ${names.join(', ') || 'none'}.`,
      );
    return logins.map(({ name, scheme, api }) => ({
      name,
      account: this.accountOf(server, { scheme, env }),
      scopes: scopesOfServer(server, name, api),
    }));
  }

  close(): void {
    for (const account of this.#accounts.values()) account.close();
  }

  async apply({ headers }: ApiRequest, wanted: WantedCredentials): Promise<string[]> {
    const { call, scopes } = wanted;
    const account = this.accountOf(call.request.server, wanted);
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
    const account = this.accountOf(wanted.call.request.server, wanted);
    account.refuse((headers.get('authorization') ?? '').replace(/^Bearer /, ''));
    return true;
  }

  /**
   * A login is for what the server calls: the next version of a served document may call others.
   * @param wanted has the environment of an operation: another host may have a client of its own
   * @throws {ToolError} over HTTP
   */
  accountOf(server: Server, { scheme, env }: { scheme: LoginScheme; env: Env }): Account {
    if (this.#open === undefined)
      throw new ToolError('Nothing was sent: people sign in to the API over stdio only.');
    const { name, title = name } = server.definition.info;
    const [addresses, client] = [listAddresses(server), readClient(scheme, env)];
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

function listAddresses(server: Server): string[] {
  // The feature `operation-servers` has the others.
  const apis: (ApiBinding & { otherServers?: ApiServer[] })[] = listApis(server.bindings);
  const others = apis.flatMap((api) => api.otherServers?.map((one) => ({ ...api, servers: [one] })) ?? []);
  return [...apis, ...others].flatMap((api) => {
    try {
      const { origin, pathname } = chooseServer({ api, ...readOptions(server) });
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
  return schemes.filter(({ scheme }) => scheme.source === 'login');
}
