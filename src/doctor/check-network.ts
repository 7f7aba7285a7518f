/** Checks of the API, and of what a server needs to reach it. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readFileIfAny, readJsonObject } from '../util/read-file.ts';
import {
  type Bindings as ServerBindings,
  type SecuritySchemeBinding,
  type UpstreamBinding,
  findApi,
  listApis,
} from '../model/bindings.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { fillDefaultVariables, listUpstreamVariables } from '../emit/api-variables.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';
import { type Check, makeFailedCheck, makePassedCheck, makeSkippedCheck } from './check.ts';
import { explainFailure } from './failure-reason.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment as the server does: `.env` beside its package.json, then variables of the process that are not empty. */
export function readServerEnvironment(root: string, env: Environment): Environment {
  const envFile = readFileIfAny(join(root, '.env'));
  if (envFile === undefined) return env;
  const filled = Object.entries(env).filter(([, value]) => omitEmptyText(value) !== undefined);
  return { ...parseEnv(envFile), ...Object.fromEntries(filled) };
}

export interface ReadBindings {
  /** Absent if the file cannot be read. */
  bindings?: ServerBindings;
  apis: UpstreamBinding[];
  /** Names of tools that call an API; those that demand credentials come first. */
  tools: string[];
  /** Whether the API refuses at least one tool without credentials. */
  demandsCredentials: boolean;
}

/** Reads `bindings.json`, which mcpgen wrote; empty if it cannot be read, which `checkProject` reports. */
export function readBindings(root: string): ReadBindings {
  const value = readJsonObject(join(root, 'src/generated/bindings.json'));
  const bindings = value as ServerBindings | undefined;
  if (!isRecord(bindings?.tools)) return { apis: [], tools: [], demandsCredentials: false };
  const rated = Object.entries(bindings.tools).flatMap(([name, { do: binding }]) => {
    if (binding.kind !== 'http') return [];
    const { security = findApi(bindings, binding).security ?? [] } = binding;
    const isDemanded =
      security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
    return [{ name, rank: isDemanded ? 0 : 1 }];
  });
  const tools = rated.sort((one, other) => one.rank - other.rank).map(({ name }) => name);
  return {
    bindings,
    apis: listApis(bindings),
    tools,
    demandsCredentials: rated.some(({ rank }) => rank === 0),
  };
}

/** Lists the variables of credentials that have no value. */
export function listUnsetCredentials(apis: readonly UpstreamBinding[], env: Environment): string[] {
  const isUnset = (name: string): boolean => omitEmptyText(env[name]) === undefined;
  const schemes = apis.flatMap(({ securitySchemes }) => Object.values(securitySchemes));
  return [...new Set(schemes.flatMap((scheme) => listMissingVariables(scheme, isUnset)).filter(isUnset))];
}

/** Lists the variables of base URLs that have no value, where the document names no server by a full URL. */
export function listUnsetBaseUrls(root: string): string[] {
  const env = readServerEnvironment(root, {});
  return readBindings(root).apis.flatMap((api) => {
    const name = baseUrlVariable(api);
    const url = omitEmptyText(env[name]) ?? findDefaultUrl(api);
    return url !== undefined && URL.canParse(url) ? [] : [name];
  });
}

function baseUrlVariable(api: UpstreamBinding): string {
  return listUpstreamVariables(api)[0]?.name ?? 'API_BASE_URL';
}

function listMissingVariables(scheme: SecuritySchemeBinding, isUnset: (name: string) => boolean): string[] {
  switch (scheme.type) {
    case 'oauth2': {
      const { token, clientId, clientSecret } = scheme.env;
      if (scheme.login !== undefined) return isUnset(token) ? [clientId] : [token];
      const isObtained = scheme.tokenUrl !== undefined || scheme.metadataUrl !== undefined;
      return isObtained && isUnset(token) ? [clientId, clientSecret] : [token];
    }
    case 'mutualTLS':
      return [scheme.env.cert];
    case 'unsupported':
      return [];
    default:
      return Object.values(scheme.env);
  }
}

const TIMEOUT = 10_000;

/** Sends one GET to the base URL. Any status passes, since a call of a tool checks the credentials. With `noCode`, only the environment may name the URL. */
export async function checkBaseUrl(api: UpstreamBinding, env: Environment, noCode: boolean): Promise<Check> {
  const name = api.name === undefined ? 'base URL' : `base URL of ${api.name}`;
  const variableName = baseUrlVariable(api);
  const stated = omitEmptyText(env[variableName]);
  if (noCode && stated === undefined)
    return makeSkippedCheck(name, 'not checked with --no-code: the address comes from the project');
  const url = stated ?? findDefaultUrl(api);
  if (url === undefined || !URL.canParse(url)) {
    const says =
      url === undefined
        ? 'the document names no server by a full URL, and there is none in the environment'
        : `${variableName} is not a URL`;
    const next = `set ${variableName} in .env of the project, or give --base-url to the server`;
    return makeFailedCheck(name, says, next);
  }
  const shown = removeSecretPartsOfUrl(url);
  const proxy = findProxyVariable(env);
  if (proxy !== undefined)
    return makeSkippedCheck(
      name,
      `${shown} may be reached by the proxy that ${proxy} names: a call shows it`,
    );
  try {
    await sendGet(new URL(url));
    return makePassedCheck(name, `${shown} answers`);
  } catch (error) {
    const next = `check the address (${variableName}), the network and the proxy`;
    return makeFailedCheck(name, `${shown}: ${explainFailure(error)}`, next);
  }
}

function findProxyVariable(env: Environment): string | undefined {
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
  return names.find((name) => omitEmptyText(env[name]) !== undefined);
}

/** Sends the request without `fetch`, which refuses URLs with a user and some ports that servers use. */
async function sendGet(url: URL): Promise<void> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { href } = Object.assign(new URL(url), { username: '', password: '' });
  const sent = request(href, { agent: false, signal: AbortSignal.timeout(TIMEOUT) }).end();
  try {
    await once(sent, 'response');
  } finally {
    sent.destroy();
  }
}

function omitEmptyText(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

/** Undefined for an address that is no full URL. */
function findDefaultUrl({ servers: [server = { url: '' }] }: UpstreamBinding): string | undefined {
  const url = fillDefaultVariables(server);
  return /^https?:\/\/[^{}]+$/i.test(url) ? url : undefined;
}
