// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Chooses and adds credentials (OpenAPI, Security Requirement Object), and knows them, so that they can be removed from what an API echoes. */
import type { Call } from './feature.ts';
import { ownMember } from './json-rpc.ts';
import {
  apiVariable,
  type ApiRequest,
  type ApiSetup,
  CONNECTION_HEADERS,
  decodePercent,
  encode,
} from './request.ts';
import { encodeUser, setHeader } from './request.ts';
import { type ApiBinding, type Env, type HttpBinding, type Requirement } from './types.ts';
import { type SecurityScheme, ToolError, UsageError } from './types.ts';

export interface CredentialSource {
  isAvailable(scheme: SecurityScheme, env: Env): boolean;
  /** Returns the secrets that it adds. */
  apply(request: ApiRequest, use: WantedCredentials): string[] | Promise<string[]>;
  /** The API refused what the request has (401). False: another attempt would get the same. */
  renew?(request: ApiRequest, use: WantedCredentials): boolean;
}
export interface WantedCredentials {
  scheme: SecurityScheme;
  scopes: readonly string[];
  env: Env;
  call: Call;
}

/** Finds the caller's own credentials, in the parts `ofCaller`. Undefined: those of the server are used. */
export type FindCredentials = (
  call: Call,
  binding: HttpBinding,
  setup: ApiSetup,
) => Promise<Credentials | undefined>;

interface Choice {
  name: string;
  scheme: SecurityScheme;
  scopes: string[];
  source: CredentialSource | undefined;
  isSet: boolean;
  /** Nothing is missing for it. */
  isMet: boolean;
}

/** What the environment and features have for one operation of an API. */
export class Credentials {
  readonly #setup: ApiSetup;
  readonly #alternatives: Choice[][];
  /** Schemes that nothing demands, and that are used if they are set. */
  readonly #optional: Choice[];
  /** What is added. Undefined: no requirement can be met. */
  readonly chosen: readonly Choice[] | undefined;

  constructor(setup: ApiSetup, { security, ifSet }: Pick<HttpBinding, 'security' | 'ifSet'>) {
    const { api, env, headers = [] } = setup;
    this.#setup = setup;
    const readScheme = ([name, scopes]: [string, string[]]): Choice => {
      const undescribed = { type: 'unsupported', reason: 'not described' };
      const scheme: SecurityScheme = ownMember(api.securitySchemes, name) ?? undescribed;
      const source = findSource(scheme, setup.credentials);
      const isSet = hasCredential(scheme, env, source);
      // Headers of the operator stand for schemes that are not set.
      const isHeader = headers.some(([header]) => header.toLowerCase() === placeOf(scheme));
      return {
        name,
        scheme,
        scopes,
        source,
        isSet,
        isMet: isSet || isHeader || scheme.type === 'unsupported',
      };
    };
    const isUnsaid = security === undefined && api.security === undefined;
    const names = ifSet ?? (isUnsaid ? api.ifSet : undefined) ?? [];
    this.#optional = names.map((name) => readScheme([name, []]));
    // The first of each place.
    const set = this.#optional.filter(({ isSet }) => isSet);
    const places = set.map(({ scheme }) => placeOf(scheme));
    const extras = set.filter((_, index) => places.indexOf(places[index] ?? '') === index);
    const allowed = security ?? api.security ?? [];
    const named = allowed.filter((requirement) => Object.keys(requirement).length > 0);
    // An operator who asks for credentials gets no anonymous call where the document names any.
    const demands = env['API_CREDENTIALS'] === 'required' && named.length > 0 ? named : allowed;
    this.#alternatives = (demands.length === 0 ? [{}] : demands).map((requirement: Requirement) => [
      ...extras.filter(({ name }) => !Object.hasOwn(requirement, name)),
      ...Object.entries(requirement).map(readScheme),
    ]);
    // Credentials that are set win over anonymous access, and unsupported schemes come last.
    const met = this.#alternatives.filter((choices) => choices.every(({ isMet }) => isMet));
    const supported = met.filter((choices) => choices.every(({ scheme }) => scheme.type !== 'unsupported'));
    this.chosen = supported.find(({ length }) => length > 0) ?? supported[0] ?? met[0];
    if (env['API_CREDENTIALS'] === 'optional') this.chosen ??= [];
  }

  /** Returns the secrets. */
  async add(request: ApiRequest, call: Call): Promise<string[]> {
    const secrets: string[] = [];
    const { env } = this.#setup;
    for (const { scheme, scopes, source, isSet } of this.chosen ?? []) {
      if (!isSet) continue;
      const use = { scheme, scopes, env, call };
      secrets.push(...(addCredential(request, scheme, env) ?? (await source?.apply(request, use)) ?? []));
    }
    return secrets;
  }

  /** After 401: whether others can be had. */
  renew(request: ApiRequest, call: Call): boolean {
    const { env } = this.#setup;
    return (this.chosen ?? []).some(
      ({ scheme, scopes, source }) =>
        !env[variableOf(scheme)] && source?.renew?.(request, { scheme, scopes, env, call }) === true,
    );
  }

  /** Why nothing is sent. */
  missing(): ToolError {
    const variables = this.#alternatives.map((choices) => describe(choices.filter(({ isMet }) => !isMet)));
    return new ToolError(
      `Nothing was sent: the API needs credentials. In the environment of this MCP server set ${variables.join(', or ')}, ` +
        'or API_CREDENTIALS=optional if the API does not ask for them after all.',
    );
  }

  /** What to check after 401: what was sent, else what could be. */
  hint(): string {
    const { chosen = [] } = this;
    const unset = [...this.#alternatives, ...this.#optional.map((one) => [one])];
    const variables = (chosen.length > 0 ? [chosen] : unset).map(describe).filter(Boolean);
    const list = variables.join(', or ') || apiVariable(this.#setup.api, 'API_HEADERS');
    return `Check ${list} in the environment of this MCP server.`;
  }
}

function describe(choices: readonly Choice[]): string {
  const texts = choices.map(({ name, scheme: { env = {}, type, reason, source } }) => {
    // The other variables of `oauth2`, and more than two, are for a feature.
    const values = Object.values(env).slice(0, type === 'oauth2' ? 1 : 2);
    const variables = source === undefined ? values : [env['clientId']];
    return `${variables.join(' and ') || reason} (${name})`;
  });
  return texts.join(' and ');
}

/** The first variable of a scheme: if it is not set, the scheme is not used. */
export function variableOf({ env = {} }: SecurityScheme): string {
  return Object.values(env)[0] ?? '';
}

/** An API describes schemes, and nothing is set for any of them. */
export function lacksCredentials(api: ApiBinding, env: Env, sources: Sources): boolean {
  const schemes = Object.values(api.securitySchemes).filter(({ type }) => type !== 'unsupported');
  if (schemes.length === 0 || env[apiVariable(api, 'API_HEADERS')]) return false;
  return !schemes.some((scheme) => hasCredential(scheme, env, findSource(scheme, sources)));
}

type Sources = Readonly<Record<string, CredentialSource>>;

function findSource(scheme: SecurityScheme, sources: Sources): CredentialSource | undefined {
  return ownMember(sources, scheme.source ?? scheme.type);
}

function hasCredential(scheme: SecurityScheme, env: Env, source: CredentialSource | undefined): boolean {
  return Boolean(env[variableOf(scheme)]) || source?.isAvailable(scheme, env) === true;
}

/** The header that a scheme fills, in lower case, or its parameter of the query. */
function placeOf({ type, in: place, name = '' }: SecurityScheme): string {
  if (type === 'mutualTLS') return type;
  if (type !== 'apiKey') return 'authorization';
  return place === 'header' ? name.toLowerCase() : `${place} ${name}`;
}

/** Returns the secrets, or undefined if no variable is set, or a feature serves the scheme. */
function addCredential({ url, headers }: ApiRequest, scheme: SecurityScheme, env: Env): string[] | undefined {
  // Files of secrets end with a line break.
  const read = (variable: string): string => (env[variable] ?? '').replace(/[\r\n]+$/, '');
  const value = read(variableOf(scheme));
  if (value === '') return undefined;
  const { type, in: place, name = '', scheme: prefix = 'Bearer' } = scheme;
  if (type === 'apiKey') {
    const pair = `${encode(name)}=${encode(value)}`;
    // An argument can't replace a credential of the same name.
    const isOther = (other: string): boolean => other !== '' && !other.startsWith(`${encode(name)}=`);
    const join = (pairs: string, separator: string): string =>
      [...pairs.split(separator).filter(isOther), pair].join(separator);
    if (place === 'header') setHeader(headers, name, value);
    else if (place === 'query') url.search = join(url.search.slice(1), '&');
    else setHeader(headers, 'cookie', join(headers.get('cookie') ?? '', '; '));
    return [value, encode(value)];
  }
  if (type === 'basic') {
    const password = read(scheme.env?.['password'] ?? '');
    const encoded = Buffer.from(`${value}:${password}`).toString('base64');
    setHeader(headers, 'authorization', `Basic ${encoded}`);
    return [encoded, password || value];
  }
  if (!['bearer', 'oauth2', 'http'].includes(type)) return undefined;
  // People copy the value with its scheme in front (RFC 9110, section 11.4).
  const isPrefixed = value.toLowerCase().startsWith(`${prefix.toLowerCase()} `);
  const bare = isPrefixed ? value.slice(prefix.length).trimStart() : value;
  setHeader(headers, 'authorization', `${prefix} ${bare}`);
  return [bare];
}

/** Query parameters of a base URL and headers of API_HEADERS with these names are secret. */
const SECRET_NAME =
  /key|token|secret|pass|pwd|jwt|bearer|session|^sig|signature|auth|credential|cookie|^code$/i;

export function secretsOfUrl(baseUrl: URL): string[] {
  const { username, password, searchParams } = baseUrl;
  const user = username === '' ? [] : [encodeUser(baseUrl), decodePercent(password || username)];
  return [...user, ...[...searchParams].flatMap(([name, value]) => (SECRET_NAME.test(name) ? value : []))];
}

/** Headers of the configuration, and of API_HEADERS. @throws {ToolError} if a variable of a header is not set */
export function readFixedHeaders({ api, env }: ApiSetup, binding: Pick<HttpBinding, 'headers'>) {
  const fixed: { headers: [name: string, value: string][]; secrets: string[] } = { headers: [], secrets: [] };
  for (const [name, text] of Object.entries({ ...api.headers, ...binding.headers })) {
    const value = text.replace(/\$\$\{|\$\{([A-Za-z_]\w*)\}/g, (_, variable?: string) => {
      if (variable === undefined) return '${';
      const secret = env[variable] ?? '';
      if (secret === '' && env['API_CREDENTIALS'] !== 'optional')
        throw new ToolError(
          `Nothing was sent: the header ${name} needs ${variable} in the environment of this MCP server.`,
        );
      fixed.secrets.push(secret);
      return secret;
    });
    if (value !== '') fixed.headers.push([name, value]);
  }
  const variable = apiVariable(api, 'API_HEADERS');
  for (const [name, value] of parseHeaders(variable, env[variable])) {
    fixed.headers.push([name, value]);
    fixed.secrets.push(...secretsOfHeader(name, value));
  }
  return fixed;
}

/** Empty for a name that is not one of a credential. */
export function secretsOfHeader(name: string, value: string): string[] {
  if (!SECRET_NAME.test(name)) return [];
  // APIs may show a token without its scheme, or the password of `Basic`.
  const [, scheme = '', bare = ''] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
  const pair = /^basic$/i.test(scheme) ? Buffer.from(bare, 'base64').toString() : '';
  return [value, bare, pair.slice(pair.indexOf(':') + 1)];
}

const HEADER_LINE = /^\s*([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*([^\0-\x08\x0A-\x1F\x7F]*?)[ \t]*$/;

/** Lines `Name: value`. @throws {UsageError} without the values, which may be secret */
export function parseHeaders(variable: string, text = ''): [name: string, value: string][] {
  const names = new Set<string>();
  const lines = text.split(/\n|\\n/).filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === '' || CONNECTION_HEADERS.test(name) || names.has(name.toLowerCase()))
      throw new UsageError(
        `${variable} must be lines "Name: value", each header once, and none that the connection sets: line ${index + 1} can't be sent.`,
      );
    names.add(name.toLowerCase());
    return [name, value];
  });
}
