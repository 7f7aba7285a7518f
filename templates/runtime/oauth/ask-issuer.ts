/** Requests to those who issue tokens: bounded, without redirects, through the proxies that requests to an API take. */
import { isRecord } from '../contract/json-value.ts';
import type { Implementation } from '../definition.ts';
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { Guard, OpenDocument } from '../transports/http/guard.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../upstream-limits.ts';
import { createDispatchers, mayName, type Sender, senderOf } from '../upstream/dispatcher.ts';
import { Deadline } from '../upstream/deadline.ts';
import type { UpstreamFeatures } from '../upstream/upstream-features.ts';
import { HeaderList } from '../upstream/wire-request.ts';
import { send } from '../upstream/send.ts';
import { describeResource, metadataPaths, pointerPaths } from './metadata.ts';
import { CheckFailure } from './refusals.ts';
import { type AuthLimits, type AuthSettings, RETRY_SECONDS, secureUrl } from './settings.ts';

/** A request waits for it, and whoever sent it does. */
const TIMEOUT_MS = 5_000;

const LIMITS: UpstreamLimits = {
  ...defaultUpstreamLimits,
  timeoutMs: TIMEOUT_MS,
  responseBytes: 1024 * 1024,
  redirects: 0,
  retries: 1,
};

interface Question {
  /** Of a POST of a form. Absent: it is a GET. */
  body?: string;
  /** Default: who asks is said by the body. */
  authorization?: string;
  /** The server that named the URL. Absent: the operator did. */
  sentBy?: Sender | undefined;
}

export interface IssuerAnswer {
  status: number;
  /** As of `WireAnswer`. */
  address?: string | undefined;
  /** Undefined: no JSON object. */
  json: Record<string, unknown> | undefined;
}

/** Rejects with a `CheckFailure` when nobody answers in time. */
export type AskIssuer = (url: URL, question?: Question) => Promise<IssuerAnswer>;

/** @param features of the server: `proxy` counts */
export function issuersBy(
  env: Readonly<Record<string, string | undefined>>,
  features: FeatureLoaders = {},
): AskIssuer {
  const { proxy } = features as UpstreamFeatures;
  const chooseDispatcher = createDispatchers(env, TIMEOUT_MS, proxy);
  return async (url, { body: form, authorization, sentBy } = {}) => {
    const headers = new HeaderList();
    headers.set('Accept', 'application/json');
    if (form !== undefined) headers.set('Content-Type', 'application/x-www-form-urlencoded');
    if (authorization !== undefined) headers.set('Authorization', authorization);
    const wire = {
      method: form === undefined ? 'GET' : 'POST',
      url,
      target: url.pathname + url.search,
      headers,
      ...(form === undefined ? {} : { body: form }),
      ...(sentBy === undefined ? {} : { sentBy }),
    };
    const deadline = new Deadline(TIMEOUT_MS);
    try {
      const { status, address, body } = await send(wire, { limits: LIMITS, deadline, chooseDispatcher });
      return { status, address, json: objectOf(body.toString('utf8')) };
    } catch (cause) {
      // No cause: what is said of a request may repeat it.
      const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
      throw new CheckFailure(`${url.origin}${url.pathname} could not be asked${code}.`);
    } finally {
      deadline.clear();
    }
  };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Questions about tokens, paced: anyone can make up a token, and whoever issues them is asked no more than it can answer.
 * Only so many are under way at a time, and after a failure none is asked for a moment.
 */

/** They are about who asks, whatever the token is. */
const OF_WHO_ASKS = [401, 403, 429];

export class PacedQuestions {
  readonly #ask: AskIssuer;
  readonly #limits: Pick<AuthLimits, 'questions' | 'failuresInARow' | 'failureMs'>;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #failures = 0;
  #failedAt = -Infinity;

  constructor(
    ask: AskIssuer,
    limits: Pick<AuthLimits, 'questions' | 'failuresInARow' | 'failureMs'>,
    now: () => number,
  ) {
    this.#ask = ask;
    this.#limits = limits;
    this.#now = now;
  }

  readonly ask: AskIssuer = async (url, question) => {
    await this.#turn();
    try {
      this.#refuseAfterFailure(url);
      const answer = await this.#ask(url, question);
      this.#count(answer);
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof Unasked)) this.#failedAt = this.#now();
      throw thrown;
    } finally {
      this.#passOn();
    }
  };

  async #turn(): Promise<void> {
    if (this.#underWay < this.#limits.questions) this.#underWay += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** To the one that waits for longest; it is under way in the place of the one that ends. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }

  #refuseAfterFailure({ origin, pathname }: URL): void {
    if (this.#now() - this.#failedAt < this.#limits.failureMs)
      throw new Unasked(`${origin}${pathname} failed a moment ago, and is not asked.`);
  }

  /** One failure may be of its token alone: it must not keep others from being asked about. */
  #count({ status, json }: IssuerAnswer): void {
    const isAnswered = (status === 200 && json !== undefined) || status === 400;
    this.#failures = isAnswered ? 0 : this.#failures + 1;
    if (!OF_WHO_ASKS.includes(status) && this.#failures < this.#limits.failuresInARow) return;
    this.#failures = 0;
    this.#failedAt = this.#now();
  }
}

class Unasked extends CheckFailure {}

/** Public documents by path: this server's metadata, and the address of its issuer's. */
interface DocumentsOptions {
  settings: AuthSettings;
  /** Those that a client can ask for. */
  scopes: readonly string[];
  info: Implementation;
  /** Where the server is reached. */
  paths: readonly string[];
  ask: AskIssuer;
}

export function documentsOf({ settings, scopes, info, paths, ask }: DocumentsOptions): Guard['documents'] {
  const described = describeResource(settings, scopes, info);
  const documents = new Map<string, () => OpenDocument | Promise<OpenDocument>>(
    metadataPaths(settings.resource, paths).map((path) => [path, () => described]),
  );
  if (settings.pointer)
    for (const path of pointerPaths(settings.resource, paths))
      documents.set(path, async () => pointTo(settings.issuers[0] ?? '', ask));
  return documents;
}

/** To where the issuer says it itself: a copy of ours could be out of date. */
async function pointTo(issuer: string, ask: AskIssuer): Promise<OpenDocument> {
  try {
    const { url } = await discoverIssuer(issuer, ask);
    return { status: 302, headers: { location: url.href }, body: '' };
  } catch (thrown) {
    if (!(thrown instanceof CheckFailure)) throw thrown;
    return { status: 503, headers: { 'retry-after': RETRY_SECONDS }, body: '' };
  }
}

/** An issuer's metadata: the address of its keys (RFC 8414; OpenID Connect Discovery 1.0). */
interface IssuerMetadata {
  /** Where it was found. */
  url: URL;
  /** Where its keys are. */
  keys: { url: URL; sentBy: Sender | undefined } | undefined;
}

/** The places in which a client looks, in this order (MCP 2025-11-25, "Authorization Server Metadata Discovery"). */
export function metadataPlaces(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(places)].map((place) => new URL(place));
}

/**
 * A document that is not of this issuer, character by character, could be of anyone (RFC 8414, section 3.3): it ends the
 * search.
 *
 * @throws {CheckFailure} when there is none, or it can't be used
 */
export async function discoverIssuer(issuer: string, ask: AskIssuer): Promise<IssuerMetadata> {
  for (const url of metadataPlaces(issuer)) {
    const { status, json, address } = await ask(url);
    if (status !== 200 || json === undefined) continue;
    if (json['issuer'] !== issuer)
      throw new CheckFailure(
        `${url.href} is not of the issuer ${issuer}: MCP_AUTH_ISSUER must be written as it is there.`,
      );
    const { jwks_uri: uri } = json;
    const jwksUri = secureUrl(uri);
    if (uri !== undefined && jwksUri === undefined)
      throw new CheckFailure(`${url.href} has a jwks_uri that is no https URL.`);
    return { url, keys: jwksUri && { url: jwksUri, sentBy: keysNamedBy(jwksUri, url, address) } };
  }
  throw new CheckFailure(
    `The issuer ${issuer} says nowhere where its keys are. Check MCP_AUTH_ISSUER, or set MCP_AUTH_JWKS_URI.`,
  );
}

/** An issuer elsewhere does not make this server ask its own network. */
function keysNamedBy(jwksUri: URL, metadata: URL, address: string | undefined): Sender | undefined {
  if (jwksUri.origin === metadata.origin) return undefined;
  const sender = senderOf(metadata, address);
  if (mayName(sender, jwksUri.hostname)) return sender;
  throw new CheckFailure(
    `${metadata.href} has a jwks_uri in the network of this server, and is not there itself. Set MCP_AUTH_JWKS_URI where it is meant.`,
  );
}
