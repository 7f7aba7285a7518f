// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Calls of the API with credentials of each caller: from the user's own code, else for the caller's token (RFC 8693). */
import { hash } from 'node:crypto';
import { Credentials, type FindCredentials } from '../../credentials.ts';
import type { Call, Feature } from '../../feature.ts';
import { isRecord, ownMember } from '../../json-rpc.ts';
import { type ApiRequest, type ApiSetup, chooseServer } from '../../request.ts';
import { describeThrown } from '../../results.ts';
import type { Server } from '../../server.ts';
import { getSetting } from '../../settings.ts';
import { type HttpBinding, type Requirement, type SecurityScheme, ToolError } from '../../types.ts';
import { askIssuer, lifetimeOf, placeOf } from '../issuer-client.ts';
import { type AuthInfo, holdsToken, redactToken, subjectOf, tokenOf } from '../oauth/caller.ts';
import { type ExchangeOptions, type ExchangeRule, type ExchangeSettings, readSettings } from './settings.ts';
import { SETTINGS } from './settings.ts';

export interface CredentialsRequest {
  readonly caller: AuthInfo;
  readonly scheme: string;
  readonly type: string;
  readonly scopes: readonly string[];
  /** Of the API. */
  readonly origin: string;
  /** Aborts after half a minute. */
  readonly signal: AbortSignal;
}
/** By the type of the scheme: `apiKey`, `basic`, `bearer` and `oauth2`, `http` (the text after the scheme's name). */
export type CallerCredentials = (
  { apiKey: string } | { username: string; password?: string } | { token: string } | { authorization: string }
) & {
  /** Seconds since 1970, until when they are kept for this caller. Default: not kept. */
  expiresAt?: number;
};
/** `undefined` leaves the call to the exchange, if there is one, else to `onBehalf`. The caller reads the message of a `ToolError` only. */
export type UpstreamCredentials = (
  request: CredentialsRequest,
) => CallerCredentials | undefined | Promise<CallerCredentials | undefined>;

declare module '../../feature.ts' {
  interface Call {
    /** Security schemes for which its request carries the caller's own credentials. */
    onBehalf?: readonly string[];
  }
}
declare module '../../types.ts' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Handlers<Tools extends object = Record<string, Args>> {
    /** The caller's credentials for the API. */
    upstreamCredentials?: UpstreamCredentials;
  }
}

export function exchange(options: ExchangeOptions = {}): Feature {
  let find: FindCredentials = () => Promise.resolve(undefined);
  return {
    name: 'exchange',
    settings: SETTINGS,
    parts: { ofCaller: { exchange: ((...call) => find(...call)) satisfies FindCredentials } },
    start: (server, flags, env) => {
      // Over stdio there are no callers.
      if ((getSetting(flags, env, 'transport', '').value ?? 'stdio') === 'stdio') return;
      const finder = openFinder(server, options);
      if (finder !== undefined) find = finder;
    },
  };
}

/** The variables of a scheme's credentials, and their values. */
type Values = Readonly<Record<string, string>>;
interface Wanted {
  caller: AuthInfo;
  name: string;
  scheme: SecurityScheme;
  scopes: readonly string[];
  origin: string;
}
interface Source {
  canHave(wanted: Wanted): boolean;
  get(wanted: Wanted): Promise<Values | undefined>;
  forget(wanted: Wanted): void;
}

function openFinder(server: Server, options: ExchangeOptions): FindCredentials | undefined {
  const hook = server.definition.handlers?.upstreamCredentials;
  const { settings, mode } = readSettings(server, options, hook !== undefined);
  if (settings === undefined && hook === undefined) return undefined;
  const sources = [
    ...(hook === undefined ? [] : [makeHookSource(hook, server)]),
    ...(settings === undefined ? [] : [makeExchangeSource(settings, options.exchange)]),
  ];
  return async (call, binding, setup) => {
    const { auth } = call.request.exchange.caller ?? call.request.session.caller ?? {};
    return auth && findForCaller(auth, sources, mode, call, binding, setup);
  };
}

/** Prefers a requirement that is met by the caller's credentials, if needed together with the server's. */
async function findForCaller(
  caller: AuthInfo,
  sources: readonly Source[],
  mode: string,
  call: Call,
  binding: HttpBinding,
  setup: ApiSetup,
): ReturnType<FindCredentials> {
  const { work } = call.request;
  const { api } = setup;
  const env: Record<string, string | undefined> = { ...setup.env };
  const { origin } = chooseServer(setup);
  const used = new Map<string, () => void>();
  const asked = new Set<string>();
  const ask = async (name: string, scopes: readonly string[]): Promise<void> => {
    const scheme = ownMember(api.securitySchemes, name);
    if (scheme?.env === undefined || scheme.type === 'mutualTLS' || asked.has(name)) return;
    asked.add(name);
    // The caller's own key wins (`pass-headers`).
    const isPassed = ([header]: readonly [string, string]): boolean => header === scheme.name?.toLowerCase();
    if (scheme.in === 'header' && setup.headers?.some(isPassed) === true) return;
    const wanted = { caller, name, scheme, scopes, origin };
    const able = sources.filter((source) => source.canHave(wanted));
    for (const source of able) {
      const values = await source.get(wanted);
      if (work.reason !== undefined) throw new ToolError('The call was cancelled.');
      if (values === undefined) continue;
      // A caller's token must come back as no credential of his for the API.
      if (Object.values(values).some((value) => holdsToken(value, caller)))
        throw unusable("its credentials would be the caller's own token, which is for this server alone");
      used.set(name, () => source.forget(wanted));
      // The server's own must not be mixed in.
      for (const variable of Object.values(scheme.env)) env[variable] = ownMember(values, variable) ?? '';
      return;
    }
    if (able.length === 0 || mode === 'optional') return;
    for (const variable of Object.values(scheme.env)) env[variable] = '';
    env['API_CREDENTIALS'] = '';
  };
  const demands = binding.security ?? api.security ?? [];
  const make = (security = binding.security): Credentials => {
    // Headers of the operator must not stand for what the caller lacks.
    const ofCaller = { ...setup, env, headers: [] };
    return new CredentialsOfCaller(ofCaller, { ...binding, ...(security && { security }) }, used, demands);
  };
  const extras = binding.ifSet ?? (binding.security === undefined ? (api.ifSet ?? []) : []);
  for (const name of extras) await ask(name, []);
  for (const requirement of demands) {
    for (const [name, scopes] of Object.entries(requirement)) await ask(name, scopes);
    const strict = { ...setup, env: { ...env, API_CREDENTIALS: '' } };
    const isMet = new Credentials(strict, { security: [requirement] }).chosen !== undefined;
    if (isMet && Object.keys(requirement).some((name) => used.has(name))) {
      call.onBehalf = Object.keys(requirement).filter((name) => used.has(name));
      return make([requirement]);
    }
  }
  return asked.size === 0 ? undefined : make();
}

class CredentialsOfCaller extends Credentials {
  readonly #used: ReadonlyMap<string, () => void>;
  readonly #demands: readonly Requirement[];

  constructor(
    setup: ApiSetup,
    binding: HttpBinding,
    used: ReadonlyMap<string, () => void>,
    demands: readonly Requirement[],
  ) {
    super(setup, binding);
    this.#used = used;
    this.#demands = demands;
  }

  override renew(request: ApiRequest, call: Call): boolean {
    for (const forget of this.#used.values()) forget();
    return super.renew(request, call) || this.#used.size > 0;
  }

  override missing(): ToolError {
    const names = Object.keys(Object.assign({}, ...this.#demands) as Requirement);
    return unusable(`its caller has no credentials for the API (${names.join(', ')})`);
  }

  override hint(): string {
    return this.chosen?.some(({ name }) => this.#used.has(name)) === true ? REVOKED : super.hint();
  }
}

function unusable(reason: string): ToolError {
  return new ToolError(`The API was not called: ${reason}.`);
}

const REVOKED = "The API refused the caller's credentials for it, which may have been revoked.";

// What was found is kept for one caller, and asked for once by calls at the same time.

const MAX_KEPT = 10_000;

class Kept<T> {
  readonly #kept = new Map<string, { value: T; until: number }>();
  readonly #pending = new Map<string, Promise<T>>();

  get(key: string, ask: () => Promise<{ value: T; until: number }>): Promise<T> {
    const known = this.#kept.get(key);
    if (known !== undefined && Date.now() < known.until) return Promise.resolve(known.value);
    const pending = this.#pending.get(key) ?? this.#ask(key, ask);
    this.#pending.set(key, pending);
    return pending;
  }

  async #ask(key: string, ask: () => Promise<{ value: T; until: number }>): Promise<T> {
    try {
      const answer = await ask();
      this.#kept.delete(key);
      if (Date.now() < answer.until) this.#kept.set(key, answer);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
      return answer.value;
    } finally {
      this.#pending.delete(key);
    }
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}

/** These claims differ between tokens of one caller (RFC 7519, section 4.1). All others may decide: a token with fewer scopes, or for another tenant, must not get what a wider one got. */
const TOKEN_CLAIMS = new Set(['exp', 'nbf', 'iat', 'jti']);

function keyOf({ issuer, subject, clientId, scopes, claims }: AuthInfo, ...more: unknown[]): string {
  const lasting = Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)));
  const parts = [issuer, subject, clientId, [...scopes].sort(), lasting, ...more];
  return JSON.stringify(parts, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

// The user's own code.

const HOOK_TIMEOUT_MS = 30_000;
const SHAPES: Readonly<Record<string, string>> = {
  apiKey: '{ apiKey }',
  basic: '{ username, password? }',
  bearer: '{ token }',
  oauth2: '{ token }',
  http: '{ authorization }',
};

function makeHookSource(hook: UpstreamCredentials, server: Server): Source {
  const kept = new Kept<Values | undefined>();
  const key = ({ caller, name, scopes, origin }: Wanted): string =>
    keyOf(caller, name, [...scopes].sort(), origin);
  const ask = async ({ caller, name, scheme, scopes, origin }: Wanted) => {
    const signal = AbortSignal.timeout(HOOK_TIMEOUT_MS);
    const late = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('it took too long'))),
    );
    const request = { caller, scheme: name, type: scheme.type, scopes: [...scopes], origin, signal };
    const answer: unknown = await Promise.race([(async () => hook(request))(), late]).catch(
      (thrown: unknown) => {
        if (thrown instanceof ToolError) throw thrown;
        const words = redactToken(describeThrown(thrown), tokenOf(caller) ?? '');
        server.report(`\`upstreamCredentials\` failed: ${words}`);
        throw unusable('credentials of its caller could not be looked for. The log of the server says why');
      },
    );
    if (answer === undefined) return { value: undefined, until: 0 };
    const { expiresAt = 0 } = isRecord(answer) ? answer : {};
    const values = parseValues(scheme, answer);
    const isPast = expiresAt !== 0 && !(typeof expiresAt === 'number' && expiresAt * 1000 > Date.now());
    if (values !== undefined && !isPast && (expiresAt as number) < 253_402_300_800)
      return { value: values, until: (expiresAt as number) * 1000 };
    server.report(
      `\`upstreamCredentials\` must return ${SHAPES[scheme.type]} for the scheme ${name}, with an \`expiresAt\` to come in seconds if it has one, or nothing. The call was refused.`,
    );
    throw unusable(`the credentials of its caller for ${name} can't be used`);
  };
  return {
    canHave: ({ scheme }) => Object.hasOwn(SHAPES, scheme.type),
    get: (wanted) => kept.get(key(wanted), () => ask(wanted)),
    forget: (wanted) => kept.forget(key(wanted)),
  };
}

/** By the variables that hold the server's own. */
function parseValues({ type, env = {} }: SecurityScheme, answer: unknown): Values | undefined {
  if (!isRecord(answer)) return undefined;
  const part = { apiKey: 'apiKey', basic: 'username', http: 'authorization' }[type as string] ?? 'token';
  const { [part]: value, password = '' } = answer;
  if (typeof value !== 'string' || value === '' || typeof password !== 'string') return undefined;
  const secret = type === 'basic' && env['password'] !== undefined && { [env['password']]: password };
  return { [env[type === 'apiKey' ? 'key' : part] ?? '']: value, ...secret };
}

// The exchange.

function makeExchangeSource(settings: ExchangeSettings, rules: ExchangeOptions['exchange']): Source {
  const kept = new Kept<string>();
  /** A token that was issued for two callers would act for the wrong one. */
  const owners = new Map<string, { owner: string; until: number }>();
  const targetOf = ({ name, scopes }: Wanted): Required<ExchangeRule> => {
    const rule = ownMember(rules, name) ?? {};
    const common = settings.scopes.length > 0 ? settings.scopes : scopes;
    const { audience, resource } = settings;
    return { audience, resource, scopes: [...common], ...rule };
  };
  const keyFor = (wanted: Wanted): string => {
    const { audience, resource, scopes } = targetOf(wanted);
    return keyOf(wanted.caller, audience, resource, [...scopes].sort());
  };
  const ask = async (wanted: Wanted) => {
    const { caller } = wanted;
    const token = tokenOf(caller);
    if (token === undefined) throw unusable("the caller's token is not there any more");
    const issued = await exchangeToken(token, targetOf(wanted), settings);
    const digest = hash('sha256', issued.value, 'base64');
    const known = owners.get(digest);
    const owner = subjectOf(caller);
    if (known !== undefined && known.owner !== owner && Date.now() < known.until)
      throw badAnswer(settings.url, 'it gave a token that it had given for another caller');
    owners.delete(digest);
    owners.set(digest, { owner, until: issued.until });
    const [oldest] = owners.keys();
    if (owners.size > MAX_KEPT && oldest !== undefined) owners.delete(oldest);
    return issued;
  };
  return {
    canHave: ({ name, scheme }) =>
      ['bearer', 'oauth2'].includes(scheme.type) && (rules === undefined || Object.hasOwn(rules, name)),
    get: async (wanted) => {
      const value = await kept.get(keyFor(wanted), () => ask(wanted));
      return { [wanted.scheme.env?.['token'] ?? '']: value };
    },
    forget: (wanted) => kept.forget(keyFor(wanted)),
  };
}

/** RFC 8693, section 3. */
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';

async function exchangeToken(
  token: string,
  { audience, resource, scopes }: Required<ExchangeRule>,
  { url, ...client }: ExchangeSettings,
): Promise<{ value: string; until: number }> {
  const form: [string, string][] = [
    ['grant_type', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    ['subject_token', token],
    ['subject_token_type', `${TOKEN_TYPE}access_token`],
    ['requested_token_type', `${TOKEN_TYPE}access_token`],
    ...resource.map((value): [string, string] => ['resource', value]),
    ...audience.map((value): [string, string] => ['audience', value]),
  ];
  if (scopes.length > 0) form.push(['scope', scopes.join(' ')]);
  const { status, json = {} } = await askIssuer(url, { form, client }).catch((thrown: unknown) => {
    throw unusable(`its token could not be had, since ${(thrown as Error).message} Try again later`);
  });
  const { access_token: value, issued_token_type: issued, token_type: type, cnf, expires_in: seconds } = json;
  if (status !== 200) {
    // A description may repeat the token, so the code alone is shown (RFC 6749, section 5.2).
    const { error } = json;
    const code = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? ` (${error})` : '';
    throw unusable(
      `the token endpoint ${placeOf(url)} answered ${status}${code}, and gave no token. The caller may have to sign in again; else check MCP_AUTH_EXCHANGE_… of this MCP server`,
    );
  }
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) throw badAnswer(url, 'it holds no token');
  if (value === token) throw badAnswer(url, 'it gave back the token of the caller, which goes to no API');
  const isUsable = issued === `${TOKEN_TYPE}access_token` || issued === `${TOKEN_TYPE}jwt`;
  if (!isUsable || String(type).toLowerCase() !== 'bearer' || cnf !== undefined)
    throw badAnswer(url, 'the token is no bearer access token (issued_token_type, token_type, cnf)');
  return { value, until: Date.now() + lifetimeOf(seconds) };
}

function badAnswer(url: URL, reason: string): ToolError {
  return unusable(`the token endpoint ${placeOf(url)} gave an answer that can't be used: ${reason}`);
}
