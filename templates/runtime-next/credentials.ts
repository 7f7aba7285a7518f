// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Chooses and adds credentials (OpenAPI, Security Requirement Object), and removes them from what an API echoes. */
import { isRecord, ownMember } from './json-rpc.ts';
import { type ApiRequest, type ApiSetup, encode, encodeUser, setHeader } from './request.ts';
import { type Env, type HttpBinding, type Json, type SecurityScheme, ToolError } from './types.ts';

type Requirement = Record<string, string[]>;
type Secured = Pick<HttpBinding, 'security' | 'ifSet'>;

/** A scheme that a feature serves. */
export interface CredentialSource {
  isAvailable(scheme: SecurityScheme, env: Env): boolean;
  /** Adds the credential, and returns its secrets. */
  apply(request: ApiRequest, scheme: SecurityScheme, scopes: readonly string[]): string[] | Promise<string[]>;
}

/** What the environment and features hold for the security schemes of an API. */
export class Credentials {
  readonly #setup: ApiSetup;

  constructor(setup: ApiSetup) {
    this.#setup = setup;
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

  /** Adds the credentials of a requirement. Returns its secrets. */
  async add(request: ApiRequest, requirement: Requirement): Promise<string[]> {
    const secrets: string[] = [];
    for (const [name, scopes] of Object.entries(requirement)) {
      const scheme = this.#scheme(name);
      const source = ownMember(this.#setup.credentials, scheme.type);
      const ready = addCredential(request, scheme, this.#setup.env);
      secrets.push(...(ready ?? (await source?.apply(request, scheme, scopes)) ?? []));
    }
    return secrets;
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
    if (names.length === 0)
      return `No credentials were sent. In the environment of this MCP server set ${this.#listUnset(binding) || 'API_HEADERS'}.`;
    const variables = names.map((name) => this.#describe(name)).join(' and ');
    return status === 401 ? `Check ${variables} in the environment of this MCP server.` : undefined;
  }

  #scheme(name: string): SecurityScheme {
    return (
      ownMember(this.#setup.api.securitySchemes, name) ?? { type: 'unsupported', reason: 'not described' }
    );
  }

  #isAvailable(name: string): boolean {
    const scheme = this.#scheme(name);
    if (scheme.type === 'unsupported' || this.#setup.env[variableOf(scheme)]) return true;
    return ownMember(this.#setup.credentials, scheme.type)?.isAvailable(scheme, this.#setup.env) === true;
  }

  #list({ security, ifSet }: Secured): Requirement[] {
    const api = this.#setup.api;
    const demands = security ?? api.security ?? [];
    const extras = ifSet ?? (security === undefined && api.security === undefined ? api.ifSet : []);
    const names = (extras ?? []).filter((name) => this.#isAvailable(name));
    if (names.length === 0) return demands;
    const extra = Object.fromEntries(names.map((name) => [name, []]));
    return (demands.length === 0 ? [{}] : demands).map((requirement) => ({ ...extra, ...requirement }));
  }

  #describe(name: string): string {
    const { env = {}, type, reason } = this.#scheme(name);
    // The other variables of `oauth2`, and more than two, are for a feature.
    const variables = Object.values(env).slice(0, type === 'oauth2' ? 1 : 2);
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
function variableOf({ env = {} }: SecurityScheme): string {
  return Object.values(env)[0] ?? '';
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
export function readFixedHeaders({ api: { headers = {} }, env }: ApiSetup) {
  const fixed: { headers: [name: string, value: string][]; secrets: string[] } = { headers: [], secrets: [] };
  for (const [name, text] of Object.entries(headers)) {
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
  const lines = (env['API_HEADERS'] ?? '').replaceAll('\\n', '\n');
  for (const [, name = '', value = ''] of lines.matchAll(/^\s*([^:\s]+)[ \t]*:[ \t]*(.*?)\s*$/gm)) {
    fixed.headers.push([name, value]);
    if (!SECRET_NAME.test(name)) continue;
    // APIs may show a token without its scheme, or the password of `Basic`.
    const [, scheme = '', bare = ''] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
    const pair = /^basic$/i.test(scheme) ? Buffer.from(bare, 'base64').toString() : '';
    fixed.secrets.push(value, bare, pair.slice(pair.indexOf(':') + 1));
  }
  return fixed;
}

export type Redact = (text: string) => string;
export const REDACTED = '[redacted]';
/** Shorter secrets would match ordinary text. */
const SHORTEST_SECRET = 6;

/** Replaces secrets however their characters are escaped: plain, for JSON, a URL, a form, XML or HTML, and in Base64 at each offset. */
export function createRedactor(secrets: readonly string[]): Redact {
  // Headers are sent without the blanks around a value, which an API may echo.
  const forms = [...new Set(secrets.map((secret) => secret.trim()))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // The longest goes first: secrets may begin alike.
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [escapedForm(secret), ...base64Forms(secret)]);
  if (forms.length === 0) return (text) => text;
  const expression = new RegExp(forms.join('|'), 'gi');
  return (text) => text.replace(expression, REDACTED);
}

/** Redacts texts, numbers and names of members. Names that become equal stay apart. */
export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (!isRecord(value)) return redact(String(value)) === String(value) ? value : REDACTED;
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    let shown = redact(name);
    while (shown !== name && (members.has(shown) || Object.hasOwn(value, shown))) shown += '+';
    members.set(shown, redactJson(member as Json, redact));
  }
  return Object.fromEntries(members);
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
const NAMED: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Each repetition is bounded, and the start repeats nothing, so that the expression takes linear time also over a run of backslashes. */
function escapedForm(secret: string): string {
  return Array.from(secret, (character, index) => {
    const [backslashes, escape] = index === 0 ? ['', '\\\\'] : ['\\\\{0,4}', '\\\\{1,4}'];
    const code = character.codePointAt(0) ?? 0;
    const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
    const plain = character === ' ' ? '[ +]' : escapeRegExp(character);
    const units = character.split('').map((unit) => `${escape}u${hex(unit.charCodeAt(0), 4)}`);
    const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25){0,3}${hex(byte, 2)}`);
    const entities = [`#0{0,5}${code}`, `#x0{0,5}${hex(code, 1)}`, NAMED[character] ?? []].flat();
    const forms = [
      backslashes + plain,
      units.join(''),
      bytes.join(''),
      `&(?:amp;){0,3}(?:${entities.join('|')});`,
    ];
    return `(?:${forms.join('|')})`;
  }).join('');
}

/** Without the characters at both ends that depend on the text beside it. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const text = bytes.toString('base64').slice(start, end);
    const form = escapeRegExp(text)
      .replace(/\\\+/g, '(?:[+-]|%2b)')
      .replace(/\\\//g, '(?:\\\\{0,4}[/_]|%2f)');
    return text.length < SHORTEST_SECRET ? [] : [form];
  });
}
