/** For which schemes a caller's token is exchanged, and what is asked for there. */
import type { Bindings } from '../../contract/bindings.ts';
import { UsageError } from '../../main/settings.ts';
import type { CallerScheme, ExchangeRule, WantedCredentials } from '../../on-behalf.ts';
import { suggest } from '../../contract/suggest.ts';
import { apisOf } from '../../contract/apis.ts';
import type { ExchangeSettings } from './exchange-settings.ts';

/** By scheme, or by `<api>/<scheme>` in a server of several APIs. */
export type ExchangeRules = Readonly<Record<string, ExchangeRule>>;

/** Schemes that send a token. */
const TOKEN_SCHEMES: readonly string[] = ['bearer', 'oauth2'] satisfies CallerScheme['type'][];

/**
 * What is asked for, undefined for a scheme without exchange. A rule says it first, then the environment; scopes of neither
 * are those that the operation needs.
 */
export function targetOf(
  { api, name, scheme, scopes }: WantedCredentials,
  rules: ExchangeRules | undefined,
  general: ExchangeSettings,
): Required<ExchangeRule> | undefined {
  if (!TOKEN_SCHEMES.includes(scheme.type)) return undefined;
  const rule = rules === undefined ? {} : ruleOf(rules, api, name);
  if (rule === undefined) return undefined;
  const common = general.scopes.length > 0 ? general.scopes : scopes;
  return {
    audience: rule.audience ?? [...general.audience],
    resource: rule.resource ?? [...general.resource],
    scopes: rule.scopes ?? [...common],
  };
}

function ruleOf(rules: ExchangeRules, api: string | undefined, scheme: string): ExchangeRule | undefined {
  const names = [...(api === undefined ? [] : [`${api}/${scheme}`]), scheme];
  const name = names.find((each) => Object.hasOwn(rules, each));
  return name === undefined ? undefined : rules[name];
}

/**
 * Whether each rule is of a scheme that there is; and with several APIs, whether it is said which of them get tokens: one
 * that is meant for one API must not go to another.
 *
 * @throws {UsageError}
 */
export function checkRules(
  rules: ExchangeRules | undefined,
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>,
): void {
  const apis = apisOf(bindings);
  if (rules === undefined) {
    if (apis.length < 2) return;
    throw new UsageError(
      'MCP_AUTH_EXCHANGE_URI is set, and this server has several APIs: `auth.exchange` of its configuration must say for ' +
        'which security schemes tokens are exchanged, and what audience each has.',
    );
  }
  const known = apis.flatMap(({ name: api, securitySchemes }) =>
    Object.entries(securitySchemes)
      .filter(([, { type }]) => TOKEN_SCHEMES.includes(type))
      .flatMap(([name]) => (api === undefined ? [name] : [name, `${api}/${name}`])),
  );
  for (const name of Object.keys(rules)) if (!known.includes(name)) throw unknownScheme(name, known);
}

function unknownScheme(name: string, known: readonly string[]): UsageError {
  const meant = suggest(name, known);
  return new UsageError(
    `\`auth.exchange\` names ${JSON.stringify(name)}, and no security scheme that sends a token has this name` +
      (meant === undefined ? '.' : `. Did you mean ${JSON.stringify(meant)}?`),
  );
}
