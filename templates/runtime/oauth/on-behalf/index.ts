// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Finds credentials of callers for the API: from the project's own code, else by an exchange of the caller's token,
 * which is sent to the token endpoint alone.
 */
import type { AuthInfo, UpstreamCredentials, OnBehalfMode } from '../../definition.ts';
import { UsageError } from '../../contract/feature.ts';
import { chooseStrictest } from '../../contract/guards.ts';
import type {
  FoundCredentials,
  OnBehalf,
  OpenOnBehalf,
  Waiting,
  WantedCredentials,
} from '../../feature-loaders.ts';
import { createRedactor, redactThrown } from '../../redact.ts';
import { UpstreamError } from '../../upstream/upstream-error.ts';
import { type AskIssuer, createIssuerClient } from '../ask-issuer.ts';
import { AUTH_LIMITS } from '../settings.ts';
import { findTokenOfCaller, containsToken, subjectKey } from '../checked-tokens.ts';
import { Held, type Holding, SHAPES, callerKey, parseCredentials, parseExpiry } from './held-credentials.ts';
import { exchangeToken, foreignTokenError, createTokenOwnerCheck } from './token-exchange.ts';
import {
  assertExchangeRules,
  type ExchangeRules,
  type ExchangeSettings,
  parseExchangeSettings,
  parseOnBehalfMode,
  makeExchangeTarget,
} from './exchange-settings.ts';

export { chooseCallerCredentials } from '../../upstream/caller-credentials.ts';

type OnBehalfOptions = Parameters<OpenOnBehalf>[0];

type Values = Readonly<Record<string, string>>;

interface Parts {
  mode: OnBehalfMode;
  hook: UpstreamCredentials | undefined;
  exchange: ExchangeSettings | undefined;
  rules: ExchangeRules | undefined;
  ask: AskIssuer;
  report: OnBehalfOptions['report'];
  now: () => number;
  /** Undefined if the project's own code has none for the caller. */
  given: Held<Values | undefined>;
  exchanged: Held<string>;
  claim: ReturnType<typeof createTokenOwnerCheck>;
}

/** Returns undefined if nothing brings credentials of callers. @throws {UsageError} naming the setting that can't be used */
export function openOnBehalf(options: OnBehalfOptions): OnBehalf | undefined {
  const { definition, env, bindings, upstreamCredentials: hook, report } = options;
  const exchange = parseExchangeSettings(env);
  const said = parseOnBehalfMode(env);
  const { onBehalf: wanted } = chooseStrictest({ onBehalf: said }, definition);
  if (exchange === undefined) refuseUnusedSettings(definition, wanted, hook);
  if (hook === undefined && exchange === undefined) {
    if (said !== undefined) throw new UsageError(NO_EFFECT);
    return undefined;
  }
  if (exchange !== undefined) assertExchangeRules(definition.exchange, bindings);
  const now = (): number => Date.now();
  const parts: Parts = {
    mode: wanted ?? 'required',
    hook,
    exchange,
    rules: definition.exchange,
    ask: createIssuerClient(env, options.features),
    report,
    now,
    given: new Held(AUTH_LIMITS.tokens, now),
    exchanged: new Held(AUTH_LIMITS.tokens, now),
    claim: createTokenOwnerCheck(AUTH_LIMITS.tokens, now),
  };
  return (caller) => ({
    findCredentials: async (wanted, waiting) => findCredentials(parts, caller, wanted, waiting),
  });
}

const NO_EFFECT =
  'MCP_AUTH_ON_BEHALF is set, and nothing brings credentials of callers, so that it has no effect: set MCP_AUTH_EXCHANGE_URI, write ' +
  '`upstreamCredentials` in src/handlers/, or unset it.';

/** Without these checks, calls that are configured for callers would silently use the server's own credentials. */
function refuseUnusedSettings(
  { exchange }: OnBehalfOptions['definition'],
  mode: OnBehalfMode | undefined,
  hook: UpstreamCredentials | undefined,
): void {
  if (exchange !== undefined)
    throw new UsageError(
      'The configuration says for what tokens of callers are exchanged (`auth.exchange`), and MCP_AUTH_EXCHANGE_URI is not ' +
        'set: it is the token endpoint that does it.',
    );
  if (mode === 'required' && hook === undefined)
    throw new UsageError(
      'Calls of the API are to be on behalf of callers (`auth.onBehalf` or MCP_AUTH_ON_BEHALF), and nothing brings their ' +
        'credentials: set MCP_AUTH_EXCHANGE_URI, or write `upstreamCredentials` in src/handlers/.',
    );
}

async function findCredentials(
  parts: Parts,
  caller: AuthInfo,
  wanted: WantedCredentials,
  waiting: Waiting,
): Promise<FoundCredentials> {
  try {
    const found =
      (await findHookCredentials(parts, caller, wanted, waiting)) ??
      (await findExchanged(parts, caller, wanted, waiting));
    if (found !== undefined) return found;
  } catch (thrown) {
    throw redactThrown(thrown, createRedactor(listSecrets(parts, caller)));
  }
  return isManaged(parts, wanted) && parts.mode === 'required' ? { kind: 'none' } : { kind: 'server' };
}

function isManaged({ hook, exchange, rules }: Parts, wanted: WantedCredentials): boolean {
  return (
    hook !== undefined ||
    (exchange !== undefined && makeExchangeTarget(wanted, rules, exchange) !== undefined)
  );
}

async function findHookCredentials(
  { hook, given, report, now }: Parts,
  caller: AuthInfo,
  { api, name, scheme, scopes, origin }: WantedCredentials,
  waiting: Waiting,
): Promise<FoundCredentials | undefined> {
  if (hook === undefined) return undefined;
  const key = JSON.stringify([callerKey(caller), api, name, [...scopes].sort(), origin]);
  const ask = async (signal: AbortSignal): Promise<Holding<Values | undefined>> => {
    const { type } = scheme;
    const request = { caller, scheme: name, type, scopes: [...scopes], origin, signal };
    const answer: unknown = await hook(api === undefined ? request : { ...request, api });
    if (answer === undefined) return { value: undefined, until: 0 };
    const [values, until] = [parseCredentials(scheme, answer), parseExpiry(answer, now())];
    if (values !== undefined && until !== undefined) return { value: refuseOwnToken(values, caller), until };
    report(
      `\`upstreamCredentials\` must answer ${SHAPES[type]} for the scheme ${name}, with an \`expiresAt\` to come in ` +
        'seconds where it has one, or nothing. The call was refused.',
    );
    throw makeUnusableCredentialsError(`the credentials of its caller for ${name} can't be used`);
  };
  const holding = await given.getOrAsk(key, ask, waiting);
  if (holding.value === undefined) return undefined;
  return { kind: 'caller', values: holding.value, forget: () => given.forgetHolding(key, holding) };
}

async function findExchanged(
  { exchange, rules, exchanged, claim, ask, now }: Parts,
  caller: AuthInfo,
  wanted: WantedCredentials,
  waiting: Waiting,
): Promise<FoundCredentials | undefined> {
  const target = exchange && makeExchangeTarget(wanted, rules, exchange);
  const { scheme } = wanted;
  if (exchange === undefined || target === undefined || !('token' in scheme.env)) return undefined;
  const { audience, resource, scopes } = target;
  const key = JSON.stringify([callerKey(caller), audience, resource, [...scopes].sort()]);
  const exchangeOnce = async (): Promise<Holding<string>> => {
    const token = findTokenOfCaller(caller);
    if (token === undefined) throw makeUnusableCredentialsError("the caller's token is not there any more");
    const answer = await exchangeToken(token, target, exchange, ask);
    const until = now() + answer.lifeMs;
    if (!claim(subjectKey(caller), answer.token, until)) throw foreignTokenError(exchange.url);
    return { value: answer.token, until };
  };
  const holding = await exchanged.getOrAsk(key, exchangeOnce, waiting);
  const values = refuseOwnToken({ [scheme.env.token]: holding.value }, caller);
  return { kind: 'caller', values, forget: () => exchanged.forgetHolding(key, holding) };
}

/** @throws {UpstreamError} for the caller's own token, wherever it came from */
function refuseOwnToken(values: Record<string, string>, caller: AuthInfo): Values {
  if (!Object.values(values).some((value) => containsToken(caller, value))) return values;
  throw makeUnusableCredentialsError(
    "its credentials would have been the caller's own token, which is for this server alone",
  );
}

function listSecrets({ exchange }: Parts, caller: AuthInfo): string[] {
  return [findTokenOfCaller(caller) ?? '', exchange?.clientSecret ?? ''];
}

function makeUnusableCredentialsError(why: string): UpstreamError {
  return new UpstreamError(
    'credentials',
    `The API was not called: ${why}. This can't be done through a tool call.`,
  );
}
