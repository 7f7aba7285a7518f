// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What configuration and environment say of credentials of callers. */
import type { Server } from '../../server.ts';
import { getSetting, parseChoice, type Setting } from '../../settings.ts';
import { type Env, UsageError } from '../../types.ts';
import type { Client } from '../issuer-client.ts';
import { readList, readUrl } from '../oauth/settings.ts';

export interface ExchangeOptions {
  /** A call without the caller's credentials is refused, or uses the server's own. `required` wins. */
  onBehalf?: 'required' | 'optional';
  /** Security scheme → parameters of its exchange. Default: all schemes that send a token. */
  exchange?: Readonly<Record<string, ExchangeRule>>;
}
/** RFC 8693, section 2.1. */
export interface ExchangeRule {
  audience?: string[];
  resource?: string[];
  scopes?: string[];
}

const PREFIX = 'MCP_AUTH_EXCHANGE_';
export const SETTINGS: readonly Setting[] = [
  {
    variable: 'MCP_AUTH_ON_BEHALF',
    help: "required: a call without the caller's credentials for the API is refused; optional: it uses the server's.",
    default: 'required',
  },
  { variable: `${PREFIX}URI`, help: 'The token endpoint that exchanges tokens of callers (RFC 8693).' },
  { variable: `${PREFIX}CLIENT_ID`, help: 'Client id of this server there.' },
  { variable: `${PREFIX}CLIENT_SECRET`, help: 'Its secret.' },
  { variable: `${PREFIX}AUDIENCE`, help: 'The API that new tokens are for, by name; a list has commas.' },
  { variable: `${PREFIX}RESOURCE`, help: 'The same by URL.' },
  { variable: `${PREFIX}SCOPES`, help: 'Scopes of new tokens. Default: those of the operation.' },
];

export interface ExchangeSettings extends Client {
  url: URL;
  audience: string[];
  resource: string[];
  scopes: string[];
}

/** @throws {UsageError} for what can't be used: calls for callers would silently use the server's own credentials */
export function readSettings(
  { env, bindings }: Server,
  { onBehalf, exchange }: ExchangeOptions,
  hasHook: boolean,
) {
  const settings = readExchange(env);
  const choice = getSetting({}, env, '', 'MCP_AUTH_ON_BEHALF');
  const variable = choice.value === undefined ? undefined : parseChoice(choice, ['required', 'optional']);
  const mode = onBehalf === 'required' ? onBehalf : (variable ?? onBehalf ?? 'required');
  if (settings === undefined && exchange !== undefined)
    throw new UsageError(
      'The configuration has `auth.exchange`, and MCP_AUTH_EXCHANGE_URI is not set: set the token endpoint.',
    );
  if (settings === undefined && !hasHook && (onBehalf === 'required' || variable !== undefined))
    throw new UsageError(
      'MCP_AUTH_ON_BEHALF and `auth.onBehalf` have no effect without credentials of callers: set MCP_AUTH_EXCHANGE_URI, or write `upstreamCredentials` in src/handlers/.',
    );
  // A token for one API must not reach another.
  if (settings !== undefined && exchange === undefined && 'upstreams' in bindings)
    throw new UsageError(
      'With several APIs, `auth.exchange` of the configuration must name the schemes that MCP_AUTH_EXCHANGE_URI is for.',
    );
  return { settings, mode };
}

function readExchange(env: Env): ExchangeSettings | undefined {
  const url = readUrl(env, `${PREFIX}URI`);
  const names = SETTINGS.map(({ variable = '' }) => variable).filter((name) => name.startsWith(PREFIX));
  const idle = url === undefined ? names.find((name) => env[name]) : undefined;
  if (idle !== undefined)
    throw new UsageError(`${idle} goes with ${PREFIX}URI: set that as well, or unset it.`);
  if (url === undefined) return undefined;
  const { [`${PREFIX}CLIENT_ID`]: clientId = '', [`${PREFIX}CLIENT_SECRET`]: clientSecret = '' } = env;
  if (clientId === '' || clientSecret === '')
    throw new UsageError(`${PREFIX}URI needs ${PREFIX}CLIENT_ID and ${PREFIX}CLIENT_SECRET.`);
  const resource = readList(env, `${PREFIX}RESOURCE`);
  if (!resource.every((uri) => URL.canParse(uri) && !uri.includes('#')))
    throw new UsageError(`${PREFIX}RESOURCE must hold absolute URIs without fragments, separated by commas.`);
  return {
    ...{ url, clientId, clientSecret, resource },
    audience: readList(env, `${PREFIX}AUDIENCE`),
    scopes: (env[`${PREFIX}SCOPES`] ?? '').split(' ').filter((scope) => scope !== ''),
  };
}
