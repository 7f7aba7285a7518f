// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Requests to issuers of tokens, bounded and without redirects; and the metadata of this server, which names the
 * issuers.
 */
import { omitUndefined, isRecord } from '../contract/json-value.ts';
import type { Implementation } from '../definition.ts';
import type { FeatureLoaders, Guard, OpenDocument } from '../feature-loaders.ts';
import { type UpstreamLimits, defaultUpstreamLimits } from '../contract/feature.ts';
import { encodeFormUrlencoded } from '../contract/http-syntax.ts';
import { Deadline } from '../upstream/upstream-error.ts';
import { type Sender, createDispatcherChooser, maySenderNameHost, senderOf } from '../upstream/dispatcher.ts';
import { HeaderList } from '../upstream/wire-request.ts';
import { sendWithRedirects } from '../upstream/send.ts';
import type { UpstreamFeatures } from '../upstream/upstream-settings.ts';
import { CheckFailure } from './refusals.ts';
import { type AuthLimits, type AuthSettings, RETRY_SECONDS, parseSecureUrl } from './settings.ts';

const TIMEOUT_MS = 5_000;

const LIMITS: UpstreamLimits = {
  ...defaultUpstreamLimits,
  timeoutMs: TIMEOUT_MS,
  responseBytes: 1024 * 1024,
  redirects: 0,
  retries: 1,
};

export interface IssuerRequest {
  /** Fields of a form, which is posted. Absent: the request is a GET. */
  form?: readonly (readonly [name: string, value: string])[];
  client?: { clientId: string; clientSecret: string } | undefined;
  /** The server that named the URL. Absent: the operator did. */
  sentBy?: Sender | undefined;
}

export interface IssuerAnswer {
  status: number;
  address?: string | undefined;
  json: Record<string, unknown> | undefined;
}

/** Rejects with a `CheckFailure` if no response comes in time. */
export type AskIssuer = (url: URL, request?: IssuerRequest) => Promise<IssuerAnswer>;

export function createIssuerClient(
  env: Readonly<Record<string, string | undefined>>,
  features: FeatureLoaders = {},
): AskIssuer {
  const { proxy } = features as UpstreamFeatures;
  const chooseDispatcher = createDispatcherChooser(env, TIMEOUT_MS, proxy);
  return async (url, { form, client, sentBy } = {}) => {
    const headers = new HeaderList();
    headers.setChecked('Accept', 'application/json');
    if (form !== undefined) headers.setChecked('Content-Type', 'application/x-www-form-urlencoded');
    if (client !== undefined) headers.setChecked('Authorization', encodeBasicCredentials(client));
    const wire = {
      method: form === undefined ? 'GET' : 'POST',
      url,
      target: url.pathname + url.search,
      headers,
      ...omitUndefined({ body: form && encodeForm(form), sentBy }),
    };
    const deadline = new Deadline(TIMEOUT_MS);
    try {
      const { status, address, body } = await sendWithRedirects(wire, {
        limits: LIMITS,
        deadline,
        chooseDispatcher,
      });
      return { status, address, json: parseObject(body.toString('utf8')) };
    } catch (cause) {
      // The cause is left out, since it may repeat the request and its secrets.
      const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
      throw new CheckFailure(`${url.origin}${url.pathname} could not be asked${code}.`);
    } finally {
      deadline.clearDeadline();
    }
  };
}

function encodeForm(form: NonNullable<IssuerRequest['form']>): string {
  return form.map(([name, value]) => `${name}=${encodeFormUrlencoded(value)}`).join('&');
}

function encodeBasicCredentials({ clientId, clientSecret }: NonNullable<IssuerRequest['client']>): string {
  const credentials = `${encodeFormUrlencoded(clientId)}:${encodeFormUrlencoded(clientSecret)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** These statuses mean that the issuer refuses this server as its client; the token may be good. */
const ABOUT_CLIENT = [401, 403, 429];

/**
 * Paces the introspection of tokens, since anyone can send made-up ones: few requests are in flight at a time, and
 * for a moment after a failure none is sent.
 */
export function limitIntrospections(
  ask: AskIssuer,
  limits: Pick<AuthLimits, 'questions' | 'failuresInARow' | 'failureMs'>,
  now: () => number,
): AskIssuer {
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  let failures = 0;
  let failedAt = -Infinity;
  /** Other failures count only in a row, since a single one may be due to its token. */
  const countFailures = ({ status, json }: IssuerAnswer): void => {
    const isAnswered = (status === 200 && json !== undefined) || status === 400;
    failures = isAnswered ? 0 : failures + 1;
    if (!ABOUT_CLIENT.includes(status) && failures < limits.failuresInARow) return;
    failures = 0;
    failedAt = now();
  };
  return async (url, request) => {
    if (inFlight < limits.questions) inFlight += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (now() - failedAt < limits.failureMs)
        throw new Unasked(`${url.origin}${url.pathname} failed a moment ago, and is not asked.`);
      const answer = await ask(url, request);
      countFailures(answer);
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof Unasked)) failedAt = now();
      throw thrown;
    } finally {
      const next = waiting.shift();
      if (next === undefined) inFlight -= 1;
      else next();
    }
  };
}

class Unasked extends CheckFailure {}

interface DocumentsOptions {
  settings: AuthSettings;
  scopes: readonly string[];
  info: Implementation;
  paths: readonly string[];
  ask: AskIssuer;
  /** Members to add to the metadata. */
  members?: Readonly<Record<string, unknown>> | undefined;
}

export function createMetadataDocuments({
  settings,
  scopes,
  info,
  paths,
  ask,
  members,
}: DocumentsOptions): Guard['documents'] {
  const { resource, issuers, pointer } = settings;
  const documents = new Map<string, () => OpenDocument | Promise<OpenDocument>>();
  // Clients derive a path from the URL that they know, which a proxy may have changed.
  const suffixes = new Set(['', pathSuffix(resource.pathname), ...paths]);
  const described = printResourceMetadata(settings, scopes, info, members);
  for (const suffix of suffixes) {
    documents.set(WELL_KNOWN + suffix, () => described);
    // Clients of 2025-03-26 look for the issuer's metadata there.
    if (pointer) documents.set(POINTER + suffix, async () => redirectToMetadata(issuers[0] ?? '', ask));
  }
  return documents;
}

/** Redirects to the issuer's metadata, since a copy could be out of date. */
async function redirectToMetadata(issuer: string, ask: AskIssuer): Promise<OpenDocument> {
  try {
    const { url } = await discoverIssuer(issuer, ask);
    return { status: 302, headers: { location: url.href }, body: '' };
  } catch (thrown) {
    if (!(thrown instanceof CheckFailure)) throw thrown;
    return { status: 503, headers: { 'retry-after': RETRY_SECONDS }, body: '' };
  }
}

interface IssuerMetadata {
  url: URL;
  keys: { url: URL; sentBy: Sender | undefined } | undefined;
}

/** Clients try the URLs in this order (MCP 2025-11-25, "Authorization Server Metadata Discovery"). */
export function listMetadataUrls(issuer: string): URL[] {
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
 * A document that names the issuer in another spelling could be anyone's (RFC 8414, section 3.3), and ends the
 * search.
 * @throws {CheckFailure} if there is none, or it can't be used
 */
export async function discoverIssuer(issuer: string, ask: AskIssuer): Promise<IssuerMetadata> {
  for (const url of listMetadataUrls(issuer)) {
    const { status, json, address } = await ask(url);
    if (status !== 200 || json === undefined) continue;
    if (json['issuer'] !== issuer)
      throw new CheckFailure(
        `${url.href} is not of the issuer ${issuer}: MCP_AUTH_ISSUER must be written as it is there.`,
      );
    const { jwks_uri: uri } = json;
    const jwksUri = parseSecureUrl(uri);
    if (uri !== undefined && jwksUri === undefined)
      throw new CheckFailure(`${url.href} has a jwks_uri that is no https URL.`);
    return { url, keys: jwksUri && { url: jwksUri, sentBy: findKeysSender(jwksUri, url, address) } };
  }
  throw new CheckFailure(
    `The issuer ${issuer} says nowhere where its keys are. Check MCP_AUTH_ISSUER, or set MCP_AUTH_JWKS_URI.`,
  );
}

/** Refuses a `jwks_uri` by which an issuer elsewhere would make this server request addresses of its own network. */
function findKeysSender(jwksUri: URL, metadata: URL, address: string | undefined): Sender | undefined {
  if (jwksUri.origin === metadata.origin) return undefined;
  const sender = senderOf(metadata, address);
  if (maySenderNameHost(sender, jwksUri.hostname)) return sender;
  throw new CheckFailure(
    `${metadata.href} has a jwks_uri in the network of this server, and is not there itself. Set MCP_AUTH_JWKS_URI where it is meant.`,
  );
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const POINTER = '/.well-known/oauth-authorization-server';

/** The path of the resource comes last (RFC 9728, section 3.1). */
export function resourceMetadataUrl({ origin, pathname }: URL): string {
  return `${origin}${WELL_KNOWN}${pathSuffix(pathname)}`;
}

/** Warns if no path of the server is that of the resource, which clients compare with the URL that they call. */
export function describeResourceMismatch(
  { href, pathname }: URL,
  paths: readonly string[],
): string | undefined {
  const prefix = pathname.replace(/\/$/, '');
  if (paths.some((path) => path === prefix || path.startsWith(`${prefix}/`))) return undefined;
  return (
    `clients are told that this server is ${href}, and it serves ${paths.join(', ')}: unless a proxy changes the path, they ` +
    'refuse it. Check MCP_AUTH_AUDIENCE, or MCP_AUTH_RESOURCE, and --path.'
  );
}

function pathSuffix(pathname: string): string {
  return pathname === '/' ? '' : pathname;
}

function printResourceMetadata(
  { resource, issuers }: Pick<AuthSettings, 'resource' | 'issuers'>,
  scopes: readonly string[],
  { name, title }: Pick<Implementation, 'name' | 'title'>,
  members: DocumentsOptions['members'],
): OpenDocument {
  const metadata = {
    resource: resource.pathname === '/' ? resource.origin : resource.href,
    authorization_servers: issuers,
    scopes_supported: scopes.length === 0 ? undefined : scopes,
    bearer_methods_supported: ['header'],
    resource_name: title ?? name,
    ...members,
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
}
