// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** People sign in to the API instead of pasting a token: over stdio, where one person uses the server. */
import { listApis, readOptions } from '../../call-api.ts';
import { type CredentialSource, variableOf, type WantedCredentials } from '../../credentials.ts';
import type { Feature } from '../../feature.ts';
import { chooseServer, setHeader } from '../../request.ts';
import type { Server } from '../../server.ts';
import { getSetting, parseChoice, type Setting } from '../../settings.ts';
import { type ApiBinding, type ApiServer, type Env, ToolError, UsageError } from '../../types.ts';
import { type Account, openAccount } from './account.ts';
import { type Login, makeCommands, scopesOfServer } from './commands.ts';
import { type LoginScheme, readClient, secretsOf } from './issuer.ts';
import { DEFAULT_REDIRECT, readRedirect } from './listener.ts';
import { meet } from './meet.ts';
import type { LoginSettings } from './pending.ts';
import { openStore } from './store.ts';

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
  const accounts = new Map<string, Account>();
  let settings: Pick<LoginSettings, 'flow' | 'redirect'> | undefined;
  let isKept = false;

  /**
   * A login is for what the server calls: the next version of a served document may call others.
   * @param wanted of an operation: its host may have a client of its own. @throws {ToolError} over HTTP
   */
  function accountOf(server: Server, { scheme, env }: Pick<WantedCredentials, 'scheme' | 'env'>): Account {
    if (settings === undefined)
      throw new ToolError('Nothing was sent: people sign in to the API over stdio only.');
    const { name, title = name } = server.definition.info;
    const [addresses, client] = [listAddresses(server), readClient(scheme, env)];
    const key = JSON.stringify([client, addresses]);
    const pages = { ...settings, title, api: addresses.join(', ') || 'its API' };
    const account = accounts.get(key) ?? openAccount(client, pages, openStore(server, key, isKept));
    accounts.set(key, account);
    return account;
  }

  const credentials: CredentialSource = {
    isAvailable,
    async apply({ headers }, wanted) {
      const { call, scopes } = wanted;
      const account = accountOf(call.request.server, wanted);
      let tokens = await account.get(scopes);
      for (let logins = 0; tokens === undefined; logins++) {
        // One that was under way may lack scopes of this call, but the next has them.
        if (logins === 2) throw new ToolError('Nothing was sent: the login ended at once. Try again later.');
        await meet(call, await account.signIn(scopes));
        tokens = await account.get(scopes);
      }
      setHeader(headers, 'authorization', `Bearer ${tokens.access}`);
      return secretsOf(account.client, tokens);
    },
    renew({ headers }, wanted) {
      const account = accountOf(wanted.call.request.server, wanted);
      account.refuse((headers.get('authorization') ?? '').replace(/^Bearer /, ''));
      return true;
    },
  };

  /** Those of commands, which keep what they get. @throws {UsageError} if nobody can sign in */
  function listLogins(server: Server): Login[] {
    isKept = true;
    const { env, flags } = server;
    const schemes = listSchemes(server);
    const logins = schemes.filter(
      ({ name, scheme }) => isAvailable(scheme, env) && name === (flags['scheme'] ?? name),
    );
    const names = schemes.map(({ name, scheme }) => `${name} (${scheme.env?.['clientId']})`);
    if (logins.length === 0)
      throw new UsageError(
        `Nobody signs in. Set the variable of a scheme that has a login, or correct --scheme. This server has ${names.join(', ') || 'none'}.`,
      );
    return logins.map(({ name, scheme, api }) => ({
      name,
      account: accountOf(server, { scheme, env }),
      scopes: scopesOfServer(server, name, api),
    }));
  }

  return {
    name: 'login',
    settings: SETTINGS,
    parts: { credentials: { login: credentials } },
    commands: makeCommands(listLogins),
    start(server, flags, env) {
      const used = listSchemes(server).filter(
        ({ scheme }) => isAvailable(scheme, env) && !env[variableOf(scheme)],
      );
      const { value: transport = 'stdio' } = getSetting(flags, env, 'transport', '');
      const { clientId, token } = used[0]?.scheme.env ?? {};
      if (transport !== 'stdio' && clientId !== undefined)
        throw new UsageError(
          `${clientId}: people sign in to the API over stdio only. Over ${transport} all callers would use one person's login, and nothing proves that who opens the page is who asked. Set ${token}, or leave ${clientId} out.`,
        );
      if (transport !== 'stdio') return;
      const flow = getSetting(flags, env, 'login-flow', 'MCP_LOGIN_FLOW');
      settings = {
        flow: parseChoice(flow, ['code', 'device']),
        redirect: readRedirect(getSetting(flags, env, 'login-redirect', 'MCP_LOGIN_REDIRECT')),
      };
      if (settings.flow === 'device' && used.length > 0 && !used.some(({ scheme }) => mayHaveDevices(scheme)))
        throw new UsageError(`${flow.name} can't be device: the API has no flow for devices.`);
      isKept = flags['remember'] === true || env['MCP_LOGIN_REMEMBER'] === '1';
    },
    stop() {
      for (const account of accounts.values()) account.close();
    },
  };
}

function isAvailable(scheme: LoginScheme, env: Env): boolean {
  return readClient(scheme, env).clientId !== '';
}

/** Its metadata may name one. */
function mayHaveDevices({ login = {} }: LoginScheme): boolean {
  return (login.deviceAuthorizationUrl ?? login.metadataUrl ?? login.issuer) !== undefined;
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
