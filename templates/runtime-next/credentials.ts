// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Chooses and adds credentials (OpenAPI, Security Requirement Object), and removes them from what an API echoes. */
import { isRecord, ownMember } from './json-rpc.ts';
import { type ApiRequest, encode, encodeUser, setHeader } from './request.ts';
import {
  type ApiBinding,
  type Env,
  type HttpBinding,
  type Json,
  type SecurityScheme,
  ToolError,
} from './types.ts';

type Requirement = Record<string, string[]>;
type Secured = Pick<HttpBinding, 'security' | 'ifSet'>;

/** A scheme that a feature serves, by its type. */
export interface CredentialSource {
  isAvailable(scheme: SecurityScheme, env: Env): boolean;
  /** Adds the credential, and returns its secrets. */
  apply(
    request: ApiRequest,
    scheme: SecurityScheme,
    scopes: readonly string[],
    env: Env,
  ): string[] | Promise<string[]>;
  /** The API refused it. Returns whether another try has another credential. */
  renew?(scheme: SecurityScheme, scopes: readonly string[]): Promise<boolean>;
}
export type CredentialSources = Readonly<Record<string, CredentialSource>>;

/** The variable without which nothing uses the scheme. */
function variableOf({ env = {} }: SecurityScheme): string {
  return env['key'] ?? env['username'] ?? env['authorization'] ?? env['token'] ?? env['cert'] ?? '';
}

function schemeOf(api: ApiBinding, name: string): SecurityScheme {
  return ownMember(api.securitySchemes, name) ?? { type: 'unsupported', reason: 'not described' };
}

function isAvailable(scheme: SecurityScheme, env: Env, sources: CredentialSources): boolean {
  if (scheme.type === 'unsupported' || env[variableOf(scheme)]) return true;
  return ownMember(sources, scheme.type)?.isAvailable(scheme, env) === true;
}

function listRequirements(
  api: ApiBinding,
  binding: Secured,
  env: Env,
  sources: CredentialSources,
): Requirement[] {
  const demanded = binding.security ?? api.security ?? [];
  const ifSet =
    binding.ifSet ?? (binding.security === undefined && api.security === undefined ? api.ifSet : undefined);
  const set = (ifSet ?? []).filter((name) => isAvailable(schemeOf(api, name), env, sources));
  if (set.length === 0) return demanded;
  const more = Object.fromEntries(set.map((name) => [name, []]));
  return (demanded.length === 0 ? [{}] : demanded).map((requirement) => ({ ...more, ...requirement }));
}

/**
 * Credentials that are set win over anonymous access, and unsupported schemes come last. Undefined: none can be met.
 */
export function chooseRequirement(
  api: ApiBinding,
  binding: Secured,
  env: Env,
  sources: CredentialSources,
): Requirement | undefined {
  const requirements = listRequirements(api, binding, env, sources);
  if (requirements.length === 0) return {};
  const met = requirements.filter((requirement) =>
    Object.keys(requirement).every((name) => isAvailable(schemeOf(api, name), env, sources)),
  );
  const isSupported = (requirement: Requirement): boolean =>
    Object.keys(requirement).every((name) => schemeOf(api, name).type !== 'unsupported');
  return (
    met.find((requirement) => Object.keys(requirement).length > 0 && isSupported(requirement)) ??
    met.find((requirement) => Object.keys(requirement).length === 0) ??
    met[0] ??
    (env['API_CREDENTIALS'] === 'optional' ? {} : undefined)
  );
}

export function missingCredentials(
  api: ApiBinding,
  binding: Secured,
  env: Env,
  sources: CredentialSources,
): ToolError {
  return new ToolError(
    'Nothing was sent: the API needs credentials that this MCP server does not have. In its environment set ' +
      `${describeUnset(api, binding, env, sources)}, or API_CREDENTIALS=optional if the API does not ask for them after all. ` +
      "This can't be done through a tool call.",
  );
}

function describeScheme(name: string, scheme: SecurityScheme): string {
  const { env = {} } = scheme;
  const variables = Object.entries(env).flatMap(([member, variable]) =>
    member === 'scopes' || member === 'passphrase' ? [] : variable,
  );
  return `${scheme.type === 'oauth2' ? variables[0] : variables.join(' and ') || scheme.reason} (${name})`;
}

function describeUnset(api: ApiBinding, binding: Secured, env: Env, sources: CredentialSources): string {
  const alternatives = listRequirements(api, binding, env, sources).map((requirement) =>
    Object.keys(requirement)
      .filter((name) => !isAvailable(schemeOf(api, name), env, sources))
      .map((name) => describeScheme(name, schemeOf(api, name)))
      .join(' and '),
  );
  return [...new Set(alternatives)].filter((words) => words !== '').join(', or ');
}

/** What to check after 401 or 403. 403 accepts the credentials, but they are not enough (RFC 9110, section 15.5.4). */
export function hintAfterRefusal(
  api: ApiBinding,
  binding: Secured,
  env: Env,
  sources: CredentialSources,
  status: number,
  used: readonly string[],
): string | undefined {
  if (used.length === 0) {
    const unset = describeUnset(api, binding, env, sources);
    return unset === ''
      ? 'This MCP server sent no credentials of its own, since the API\'s document names none for this call. If the API needs some, set API_HEADERS in its environment, such as "Authorization: Bearer …".'
      : `This MCP server sent no credentials of its own: not set in its environment: ${unset}.`;
  }
  const schemes = used.map((name) => describeScheme(name, schemeOf(api, name)));
  return status === 401 ? `Check ${schemes.join(' and ')} in the environment of this MCP server.` : undefined;
}

/** Adds the credentials of a requirement. Returns its secrets. */
export async function addCredentials(
  request: ApiRequest,
  api: ApiBinding,
  requirement: Requirement,
  env: Env,
  sources: CredentialSources,
): Promise<string[]> {
  const secrets: string[] = [];
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = schemeOf(api, name);
    const source =
      env[variableOf(scheme)] && scheme.type !== 'mutualTLS' ? undefined : ownMember(sources, scheme.type);
    if (source === undefined) secrets.push(...addCredential(request, scheme, env));
    else secrets.push(...(await source.apply(request, scheme, scopes, env)));
  }
  return secrets;
}

function addCredential({ url, headers }: ApiRequest, scheme: SecurityScheme, env: Env): string[] {
  const value = env[variableOf(scheme)] ?? '';
  const authorize = (prefix: string, secret: string): void =>
    setHeader(headers, 'authorization', `${prefix} ${secret}`, 'The credential for Authorization');
  switch (scheme.type) {
    case 'apiKey': {
      const { in: place, name = '' } = scheme;
      const pair = `${encode(name)}=${encode(value)}`;
      // An argument can't replace a credential of the same name.
      const keepOthers = (pairs: string[]): string[] =>
        pairs.filter((one) => one !== '' && !one.startsWith(`${encode(name)}=`));
      if (place === 'header') setHeader(headers, name, value, `The credential for ${name}`);
      else if (place === 'query')
        url.search = [...keepOthers(url.search.slice(1).split('&')), pair].join('&');
      else
        setHeader(
          headers,
          'cookie',
          [...keepOthers((headers.get('cookie') ?? '').split('; ')), pair].join('; '),
        );
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
      const prefix = scheme.type === 'http' ? (scheme.scheme ?? '') : 'Bearer';
      const isPrefixed = value.toLowerCase().startsWith(`${prefix.toLowerCase()} `);
      const bare = isPrefixed ? value.slice(prefix.length).trimStart() : value;
      authorize(prefix, bare);
      return [bare];
    }
    default:
      return [];
  }
}

/** Query parameters of a base URL with these names are secret. */
const SECRET_NAME = /key|token|secret|passw|^sig|signature|auth|credential|^code$/i;

export function secretsOfUrl(server: URL): string[] {
  const { username, password, searchParams } = server;
  const user = username === '' ? [] : [encodeUser(server), decodeURIComponent(password || username)];
  return [...user, ...[...searchParams].flatMap(([name, value]) => (SECRET_NAME.test(name) ? value : []))];
}

// Fixed headers: of the configuration, and of API_HEADERS.

export interface FixedHeaders {
  headers: [name: string, value: string][];
  secrets: string[];
}

/** @throws {ToolError} if a variable of a header is not set */
export function readFixedHeaders({ headers = {} }: ApiBinding, env: Env): FixedHeaders {
  const fixed: FixedHeaders = { headers: [], secrets: [] };
  for (const [name, text] of Object.entries(headers)) {
    const value = text.replace(/\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable?: string) => {
      if (variable === undefined) return '${';
      const secret = env[variable];
      if (!secret && env['API_CREDENTIALS'] !== 'optional')
        throw new ToolError(
          `Nothing was sent: the header ${name} needs ${variable}, which is not set in the environment of this MCP server.`,
        );
      fixed.secrets.push(secret ?? '');
      return secret ?? '';
    });
    if (value !== '') fixed.headers.push([name, value]);
  }
  for (const line of (env['API_HEADERS'] ?? '').split(/\n|\\n/)) {
    const [, name = '', value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '') continue;
    fixed.headers.push([name, value]);
    fixed.secrets.push(...credentialForms(value));
  }
  return fixed;
}

/** APIs may show a token without its scheme, or the password of `Basic`. */
function credentialForms(value: string): string[] {
  const [, scheme = '', bare = ''] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(bare, 'base64').toString() : '';
  return [value, bare, pair.slice(pair.indexOf(':') + 1)].filter((form) => form !== '');
}

// Redaction.

export type Redact = (text: string) => string;
export const REDACTED = '[redacted]';
/** Shorter secrets would match ordinary text. */
const SHORTEST_SECRET = 6;

/** Replaces secrets however their characters are escaped: plain, for JSON, a URL, a form, XML or HTML, and in Base64 at each offset. */
export function createRedactor(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET);
  if (known.length === 0) return (text) => text;
  // The longest goes first: secrets may begin alike.
  const forms = known
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [spellings(secret), ...base64Forms(secret)]);
  const expression = new RegExp(forms.join('|'), 'gi');
  return (text) => text.replace(expression, REDACTED);
}

/** Redacts texts, numbers and names of members. Names that become equal are numbered. */
export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (!isRecord(value)) return redact(String(value)) === String(value) ? value : REDACTED;
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    const shown = redact(name);
    const isTaken = shown !== name && (members.has(shown) || Object.hasOwn(value, shown));
    members.set(isTaken ? `${shown} ${members.size}` : shown, redactJson(member as Json, redact));
  }
  return Object.fromEntries(members);
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
const NAMED: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Each repetition is bounded, so that the expression takes linear time. */
function spellings(secret: string): string {
  return Array.from(secret, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const units = Array.from({ length: character.length }, (_, index) =>
      character.charCodeAt(index).toString(16).padStart(4, '0'),
    );
    const bytes = [...Buffer.from(character)].map(
      (byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, '0')}`,
    );
    const entity = [NAMED[character], `#0{0,5}${code}`, `#x0{0,5}${code.toString(16)}`]
      .filter(Boolean)
      .join('|');
    const plain = character === ' ' ? '[ +]' : escapeRegExp(character);
    const escaped = units.map((unit) => `\\\\{1,4}u${unit}`).join('');
    return `(?:\\\\{0,4}${plain}|${escaped}|${bytes.join('')}|&(?:amp;){0,3}(?:${entity});)`;
  }).join('');
}

/** Without the characters at both ends that depend on the text beside it. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const text = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    const form = escapeRegExp(text)
      .replaceAll('\\+', '(?:[+-]|%2b)')
      .replaceAll('\\/', '(?:\\\\{0,4}[/_]|%2f)');
    return text.length < SHORTEST_SECRET ? [] : [form];
  });
}
