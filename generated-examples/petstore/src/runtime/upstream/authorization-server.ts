/** Where tokens come from, as an authorization server says itself (OpenID Connect Discovery 1.0; RFC 8414). */
import { type ChooseDispatcher, mayName, type Sender, senderOf } from './dispatcher.ts';
import { Deadline } from './deadline.ts';
import { HeaderList } from './wire-request.ts';
import { send } from './send.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import { UpstreamError } from './upstream-error.ts';

export interface TokenEndpoint {
  url: URL;
  /** The metadata's server, where it named a URL of another origin. */
  sentBy?: Sender;
  /** Credentials must stand in the body: HTTP Basic is not among the ways it offers. */
  bodyOnly: boolean;
}

const INWARD_ENDPOINT = 'its token endpoint is in the network of this MCP server, and it is not there itself';

/** Of a metadata document. */
const MOST_BYTES = 1024 * 1024;

/** @throws {UpstreamError} `token` when the document can't be had, or is not to be trusted. */
export async function discoverTokenEndpoint(
  metadataUrl: string,
  limits: UpstreamLimits,
  chooseDispatcher: ChooseDispatcher,
): Promise<TokenEndpoint> {
  if (!URL.canParse(metadataUrl) || !/^https?:$/.test(new URL(metadataUrl).protocol)) {
    throw refusal(metadataUrl, 'its address is no absolute URL');
  }
  const { metadata, address } = await fetchMetadata(new URL(metadataUrl), limits, chooseDispatcher);
  checkIssuer(metadataUrl, metadata['issuer']);
  const { token_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = metadata;
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint))
    throw refusal(metadataUrl, 'it names no token endpoint');
  const url = new URL(endpoint);
  // A secret that is asked for over TLS is not sent without.
  if (url.protocol !== 'https:' && url.protocol !== new URL(metadataUrl).protocol) {
    throw refusal(metadataUrl, 'its token endpoint is not https');
  }
  const sender = senderOf(new URL(metadataUrl), address);
  const isElsewhere = url.origin !== sender.origin;
  // The credentials of this server would be sent into its own network.
  if (isElsewhere && !mayName(sender, url.hostname)) throw refusal(metadataUrl, INWARD_ENDPOINT);
  return {
    url,
    ...(isElsewhere ? { sentBy: sender } : {}),
    bodyOnly: Array.isArray(methods) && !methods.includes('client_secret_basic'),
  };
}

async function fetchMetadata(
  url: URL,
  limits: UpstreamLimits,
  chooseDispatcher: ChooseDispatcher,
): Promise<{ metadata: Record<string, unknown>; address: string | undefined }> {
  const headers = new HeaderList();
  headers.set('Accept', 'application/json');
  // Not bound to one caller's signal: others may wait for the same document.
  const deadline = new Deadline(limits.timeoutMs);
  const wire = { method: 'GET', url, target: url.pathname + url.search, headers };
  try {
    const answer = await send(wire, {
      limits: { ...limits, responseBytes: MOST_BYTES },
      deadline,
      chooseDispatcher,
    });
    if (answer.status !== 200) throw refusal(url.href, `it was answered by ${answer.status}`);
    return { metadata: parseObject(answer.body.toString('utf8'), url.href), address: answer.address };
  } finally {
    deadline.clear();
  }
}

function parseObject(text: string, url: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw refusal(url, 'it is no JSON object');
}

/**
 * The issuer must be the one the document was asked of, or another could pass itself off for it (Discovery, section
 * 4.3; RFC 8414, section 3.3). A document at an address of no standard must name an issuer of the same origin.
 */
function checkIssuer(metadataUrl: string, issuer: unknown): void {
  const expected = issuerOf(new URL(metadataUrl));
  const isRight =
    typeof issuer === 'string' &&
    URL.canParse(issuer) &&
    (expected === undefined
      ? new URL(issuer).origin === new URL(metadataUrl).origin
      : new URL(issuer).href.replace(/\/$/, '') === expected);
  if (!isRight) throw refusal(metadataUrl, 'it is of another issuer');
}

/** `https://id.test/a` for `https://id.test/a/.well-known/openid-configuration`, and as RFC 8414 has it. */
function issuerOf({ origin, pathname }: URL): string | undefined {
  const mark = '/.well-known/';
  const at = pathname.indexOf(mark);
  if (at === -1) return undefined;
  const [, ...rest] = pathname.slice(at + mark.length).split('/');
  return `${origin}${pathname.slice(0, at)}${rest.map((segment) => `/${segment}`).join('')}`.replace(
    /\/$/,
    '',
  );
}

function refusal(url: string, reason: string): UpstreamError {
  return new UpstreamError(
    'token',
    `The metadata of the authorization server at ${url} can't be used: ${reason}. ` +
      'A ready token, set in the environment of this MCP server, does without it.',
  );
}
