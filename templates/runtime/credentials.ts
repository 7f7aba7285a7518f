// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Chooses and adds credentials (OpenAPI, Security Requirement Object), and knows them, so that they can be removed from what an API echoes. */
import type { Call } from './feature.ts';
import { ownMember } from './json-rpc.ts';
import { apiVariable, type ApiRequest, type ApiSetup, CONNECTION_HEADERS, encode } from './request.ts';
import { encodeUser, setHeader } from './request.ts';
import { type Env, type HttpBinding, type SecurityScheme, ToolError, UsageError } from './types.ts';

export { createRedactor, type Redact, redactJson } from './results.ts';

export type Requirement = Record<string, string[]>;
type Secured = Pick<HttpBinding, 'security' | 'ifSet'>;

export interface CredentialSource {
  isAvailable(scheme: SecurityScheme, env: Env): boolean;
  /** Returns the secrets that it adds. */
  apply(request: ApiRequest, wanted: WantedCredentials): string[] | Promise<string[]>;
  /** The API refused what the request has (401). False: another attempt would get the same. */
  renew?(request: ApiRequest, wanted: WantedCredentials): boolean;
}
export interface WantedCredentials {
  scheme: SecurityScheme;
  scopes: readonly string[];
  env: Env;
  call: Call;
}

/** Credentials of a call in the place of the server's own, in the parts `ofCaller`. Undefined: the server's own count. */
export type FindCredentials = (
  call: Call,
  binding: HttpBinding,
  setup: ApiSetup,
) => Promise<FoundCredentials | undefined>;
export interface FoundCredentials {
  /** With the caller's credentials as values of the variables of security schemes. */
  env: Env;
  /** The requirements that count. Absent: those of the operation. */
  security?: Requirement[];
  /** Why nothing is sent, if no requirement is met. */
  missing: ToolError;
  /** For the model, after 401. Absent: that of the server's own. */
  hint?: string;
  /** Forgets them after 401. False: another attempt would get the same. */
  renew(): boolean;
}

/** What the environment and features hold for the security schemes of an API. */
export class Credentials {
  readonly #setup: ApiSetup;
  /** Names of headers that the request has from the operator: they stand for schemes that are not set. */
  readonly #headers: ReadonlySet<string>;

  constructor(setup: ApiSetup, headers: ReadonlySet<string> = new Set()) {
    this.#setup = setup;
    this.#headers = headers;
  }

  /** Credentials that are set win over anonymous access, and unsupported schemes come last. Undefined: none can be met. */
  choose(binding: Secured): Requirement | undefined {
    const requirements = this.#list(binding);
    const rank = (requirement: Requirement): number => {
      const names = Object.keys(requirement);
      return names.some((name) => this.#scheme(name).type === 'unsupported') ? 2 : names.length === 0 ? 1 : 0;
    };
    const usable = requirements.filter((one) => Object.keys(one).every((name) => this.#isAvailable(name)));
    const isOptional = requirements.length === 0 || this.#setup.env['API_CREDENTIALS'] === 'optional';
    return usable.sort((a, b) => rank(a) - rank(b))[0] ?? (isOptional ? {} : undefined);
  }

  async add(request: ApiRequest, requirement: Requirement, call: Call): Promise<string[]> {
    const secrets: string[] = [];
    const { env } = this.#setup;
    for (const [name, scopes] of Object.entries(requirement)) {
      if (!this.#isSet(name)) continue;
      const scheme = this.#scheme(name);
      const ready = addCredential(request, scheme, env);
      const source = this.#sourceOf(scheme);
      secrets.push(...(ready ?? (await source?.apply(request, { scheme, scopes, env, call })) ?? []));
    }
    return secrets;
  }

  renew(request: ApiRequest, requirement: Requirement, call: Call): boolean {
    const { env } = this.#setup;
    return Object.entries(requirement).some(([name, scopes]) => {
      const scheme = this.#scheme(name);
      if (env[variableOf(scheme)]) return false;
      return this.#sourceOf(scheme)?.renew?.(request, { scheme, scopes, env, call }) === true;
    });
  }

  #sourceOf({ type, source = type }: SecurityScheme): CredentialSource | undefined {
    return ownMember(this.#setup.credentials, source);
  }

  missing(binding: Secured): ToolError {
    return new ToolError(
      `Nothing was sent: the API needs credentials. In the environment of this MCP server set ${this.#listUnset(binding)}, ` +
        'or API_CREDENTIALS=optional if the API does not ask for them after all.',
    );
  }

  /** What to check after 401 or 403. 403 accepts the credentials, but they are not enough (RFC 9110, section 15.5.4). */
  hintAfter(status: number, binding: Secured, used: Requirement): string | undefined {
    if (status !== 401 && status !== 403) return undefined;
    const names = Object.keys(used);
    const headers = apiVariable(this.#setup.api, 'API_HEADERS');
    if (names.length === 0 && !this.#setup.env[headers]) {
      const extras = this.#listExtras(binding).map((name) => this.#describe(name));
      const variables = this.#listUnset(binding) || extras.join(', or ') || headers;
      return `No credentials were sent. In the environment of this MCP server set ${variables}.`;
    }
    const variables = names.map((name) => this.#describe(name)).join(' and ') || headers;
    return status === 401 ? `Check ${variables} in the environment of this MCP server.` : undefined;
  }

  #scheme(name: string): SecurityScheme {
    return (
      ownMember(this.#setup.api.securitySchemes, name) ?? { type: 'unsupported', reason: 'not described' }
    );
  }

  #isAvailable(name: string): boolean {
    const scheme = this.#scheme(name);
    return scheme.type === 'unsupported' || this.#isSet(name) || this.#headers.has(placeOf(scheme));
  }

  #isSet(name: string): boolean {
    const scheme = this.#scheme(name);
    if (this.#setup.env[variableOf(scheme)]) return true;
    return this.#sourceOf(scheme)?.isAvailable(scheme, this.#setup.env) === true;
  }

  /** Schemes that nothing demands, and that are used if they are set. */
  #listExtras({ security, ifSet }: Secured): readonly string[] {
    const { api } = this.#setup;
    return ifSet ?? (security === undefined && api.security === undefined ? api.ifSet : undefined) ?? [];
  }

  #list(binding: Secured): Requirement[] {
    const demands = binding.security ?? this.#setup.api.security ?? [];
    const names = this.#listExtras(binding).filter((name) => this.#isSet(name));
    if (names.length === 0) return demands;
    // The first of each place.
    const byPlace = new Map(names.toReversed().map((name) => [placeOf(this.#scheme(name)), name]));
    const chosen = names.filter((name) => byPlace.get(placeOf(this.#scheme(name))) === name);
    const extra = Object.fromEntries(chosen.map((name) => [name, []]));
    return (demands.length === 0 ? [{}] : demands).map((requirement) => ({ ...extra, ...requirement }));
  }

  #describe(name: string): string {
    const { env = {}, type, reason, source } = this.#scheme(name);
    // The other variables of `oauth2`, and more than two, are for a feature.
    const values = Object.values(env).slice(0, type === 'oauth2' ? 1 : 2);
    const variables = source === undefined ? values : [env['clientId']];
    return `${variables.join(' and ') || reason} (${name})`;
  }

  #listUnset(binding: Secured): string {
    const alternatives = this.#list(binding).map((requirement) => {
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
  const authorize = (prefix: string, secret: string): void =>
    setHeader(headers, 'authorization', `${prefix} ${secret}`);
  switch (scheme.type) {
    case 'apiKey': {
      const { in: place, name = '' } = scheme;
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
    case 'basic': {
      const password = env[scheme.env?.['password'] ?? ''] ?? '';
      const encoded = Buffer.from(`${value}:${password}`).toString('base64');
      authorize('Basic', encoded);
      return [encoded, password || value];
    }
    case 'bearer':
    case 'oauth2':
    case 'http': {
      // People copy the value with its scheme in front (RFC 9110, section 11.4).
      const prefix = scheme.scheme ?? 'Bearer';
      const isPrefixed = value.toLowerCase().startsWith(`${prefix.toLowerCase()} `);
      const bare = isPrefixed ? value.slice(prefix.length).trimStart() : value;
      authorize(prefix, bare);
      return [bare];
    }
    default:
      return undefined;
  }
}

/** Query parameters of a base URL and headers of API_HEADERS with these names are secret. */
const SECRET_NAME = /key|token|secret|passw|^sig|signature|auth|credential|cookie|^code$/i;

export function secretsOfUrl(server: URL): string[] {
  const { username, password, searchParams } = server;
  const user = username === '' ? [] : [encodeUser(server), decodeURIComponent(password || username)];
  return [...user, ...[...searchParams].flatMap(([name, value]) => (SECRET_NAME.test(name) ? value : []))];
}

/** Headers of every request: of the configuration, and of API_HEADERS. @throws {ToolError} if a variable of a header is not set */
export function readFixedHeaders({ api, env }: ApiSetup) {
  const fixed: { headers: [name: string, value: string][]; secrets: string[] } = { headers: [], secrets: [] };
  for (const [name, text] of Object.entries(api.headers ?? {})) {
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

/** Lines `Name: value`, or a JSON object. @throws {UsageError} without the values, which may be secret */
export function parseHeaders(variable: string, text = ''): [name: string, value: string][] {
  const refuse = (reason: string): UsageError => new UsageError(`${variable} ${reason}.`);
  const headers: [name: string, value: unknown][] = [];
  if (text.trimStart().startsWith('{'))
    try {
      headers.push(...Object.entries(JSON.parse(text) as object));
    } catch {
      throw refuse('begins with "{" and is no JSON');
    }
  else
    for (const line of text.split(/\n|\\n/).filter((part) => part.trim() !== '')) {
      const [, name = '', value] = /^\s*([^:\s]+)[ \t]*:[ \t]*(.*?)[ \t]*$/s.exec(line) ?? [];
      headers.push([name, value]);
    }
  const names = new Set<string>();
  return headers.map(([name, value], index) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || typeof value !== 'string')
      throw refuse(
        `must be lines "Name: value" or a JSON object of texts, and header ${index + 1} is neither`,
      );
    const reason =
      (CONNECTION_HEADERS.test(name) && 'the connection sets it alone') ||
      (/[\0-\x08\x0A-\x1F\x7F]/.test(value) && 'its value has a control character') ||
      (names.has(name.toLowerCase()) && 'it is there twice');
    if (reason) throw refuse(`can't set the header ${name}: ${reason}`);
    names.add(name.toLowerCase());
    return [name, value];
  });
}
