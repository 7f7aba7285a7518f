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
import { type Env, type HttpBinding, type Requirement, type SecurityScheme } from './types.ts';
import { ToolError, UsageError } from './types.ts';

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

/** Finds the caller's own credentials, in the parts `ofCaller`. Undefined: the server's count. */
export type FindCredentials = (
  call: Call,
  binding: HttpBinding,
  setup: ApiSetup,
) => Promise<Credentials | undefined>;

/** What the environment and features have for one operation of an API. */
export class Credentials {
  readonly #setup: ApiSetup;
  readonly #requirements: Requirement[];
  /** Schemes that nothing demands, and that are used if they are set. */
  readonly #optional: readonly string[];
  /** What is added. Undefined: no requirement can be met. */
  readonly requirement: Requirement | undefined;
  readonly #chosen: { scheme: SecurityScheme; scopes: string[] }[];

  constructor(setup: ApiSetup, { security, ifSet }: Pick<HttpBinding, 'security' | 'ifSet'>) {
    const { api, env } = setup;
    this.#setup = setup;
    const isUnsaid = security === undefined && api.security === undefined;
    this.#optional = ifSet ?? (isUnsaid ? api.ifSet : undefined) ?? [];
    const set = this.#optional.filter((name) => this.#isSet(name));
    const place = (name: string): string => placeOf(this.#scheme(name));
    // The first of each place.
    const chosen = set.filter((name, index) => index === set.findIndex((one) => place(one) === place(name)));
    const extra = Object.fromEntries(chosen.map((name) => [name, []]));
    const demands = security ?? api.security ?? [];
    this.#requirements = (demands.length === 0 ? [{}] : demands).map((one) => ({ ...extra, ...one }));
    // Credentials that are set win over anonymous access, and unsupported schemes come last.
    const rank = (names: string[]): number =>
      names.some((name) => this.#scheme(name).type === 'unsupported') ? 2 : names.length === 0 ? 1 : 0;
    const [usable] = this.#requirements
      .filter((one) => Object.keys(one).every((name) => this.#isAvailable(name)))
      .sort((a, b) => rank(Object.keys(a)) - rank(Object.keys(b)));
    this.requirement = usable ?? (env['API_CREDENTIALS'] === 'optional' ? {} : undefined);
    this.#chosen = Object.entries(this.requirement ?? {}).flatMap(([name, scopes]) =>
      this.#isSet(name) ? { scheme: this.#scheme(name), scopes } : [],
    );
  }

  /** Returns the secrets. */
  async add(request: ApiRequest, call: Call): Promise<string[]> {
    const secrets: string[] = [];
    for (const { scheme, scopes } of this.#chosen) {
      const source = this.#sourceOf(scheme);
      const { env } = this.#setup;
      const added = addCredential(request, scheme, env);
      secrets.push(...(added ?? (await source?.apply(request, { scheme, scopes, env, call })) ?? []));
    }
    return secrets;
  }

  /** After 401: whether others can be had. */
  renew(request: ApiRequest, call: Call): boolean {
    const { env } = this.#setup;
    return this.#chosen.some(
      ({ scheme, scopes }) =>
        !env[variableOf(scheme)] &&
        this.#sourceOf(scheme)?.renew?.(request, { scheme, scopes, env, call }) === true,
    );
  }

  /** Why nothing is sent. */
  missing(): ToolError {
    return new ToolError(
      `Nothing was sent: the API needs credentials. In the environment of this MCP server set ${this.#listUnset()}, ` +
        'or API_CREDENTIALS=optional if the API does not ask for them after all.',
    );
  }

  /** What to check after 401 or 403, which may also mean that accepted credentials are not enough (RFC 9110, section 15.5.4). */
  hintAfter(status: number): string | undefined {
    if (status !== 401 && status !== 403) return undefined;
    const names = Object.keys(this.requirement ?? {});
    if (status === 403 && names.length > 0) return undefined;
    const variables =
      names.map((name) => this.#describe(name)).join(' and ') ||
      this.#listUnset() ||
      this.#optional.map((name) => this.#describe(name)).join(', or ') ||
      apiVariable(this.#setup.api, 'API_HEADERS');
    return `Check ${variables} in the environment of this MCP server.`;
  }

  #scheme(name: string): SecurityScheme {
    const undescribed = { type: 'unsupported', reason: 'not described' };
    return ownMember(this.#setup.api.securitySchemes, name) ?? undescribed;
  }

  #sourceOf({ type, source = type }: SecurityScheme): CredentialSource | undefined {
    return ownMember(this.#setup.credentials, source);
  }

  #isSet(name: string): boolean {
    const scheme = this.#scheme(name);
    const { env } = this.#setup;
    return Boolean(env[variableOf(scheme)]) || this.#sourceOf(scheme)?.isAvailable(scheme, env) === true;
  }

  /** Headers of the operator stand for schemes that are not set. */
  #isAvailable(name: string): boolean {
    const scheme = this.#scheme(name);
    const { headers = [] } = this.#setup;
    const isHeader = headers.some(([header]) => header.toLowerCase() === placeOf(scheme));
    return scheme.type === 'unsupported' || isHeader || this.#isSet(name);
  }

  #describe(name: string): string {
    const { env = {}, type, reason, source } = this.#scheme(name);
    // The other variables of `oauth2`, and more than two, are for a feature.
    const values = Object.values(env).slice(0, type === 'oauth2' ? 1 : 2);
    const variables = source === undefined ? values : [env['clientId']];
    return `${variables.join(' and ') || reason} (${name})`;
  }

  #listUnset(): string {
    const alternatives = this.#requirements.map((requirement) => {
      const names = Object.keys(requirement).filter((name) => !this.#isAvailable(name));
      return names.map((name) => this.#describe(name)).join(' and ');
    });
    return [...new Set(alternatives)].filter((variables) => variables !== '').join(', or ');
  }
}

/** The variable without which nothing uses the scheme. */
export function variableOf({ env = {} }: SecurityScheme): string {
  return Object.values(env)[0] ?? '';
}

/** The header that a scheme fills, in lower case, or its parameter of the query. */
function placeOf({ type, in: place, name = '' }: SecurityScheme): string {
  if (type === 'mutualTLS') return type;
  if (type !== 'apiKey') return 'authorization';
  return place === 'header' ? name.toLowerCase() : `${place} ${name}`;
}

/** Returns the secrets, or undefined if no variable is set, or a feature serves the scheme. */
function addCredential({ url, headers }: ApiRequest, scheme: SecurityScheme, env: Env): string[] | undefined {
  const value = env[variableOf(scheme)];
  if (!value) return undefined;
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
    const password = env[scheme.env?.['password'] ?? ''] ?? '';
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

export function secretsOfUrl(server: URL): string[] {
  const { username, password, searchParams } = server;
  const user = username === '' ? [] : [encodeUser(server), decodePercent(password || username)];
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
    if (!SECRET_NAME.test(name)) continue;
    // APIs may show a token without its scheme, or the password of `Basic`.
    const [, scheme = '', bare = ''] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
    const pair = /^basic$/i.test(scheme) ? Buffer.from(bare, 'base64').toString() : '';
    fixed.secrets.push(value, bare, pair.slice(pair.indexOf(':') + 1));
  }
  return fixed;
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
