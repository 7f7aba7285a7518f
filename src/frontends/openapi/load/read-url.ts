import { removeSecretPartsOfUrl } from '../../../model/without-credentials.ts';
import type { DocumentLimits } from './loaded-document.ts';
import { type LoadFailure, isLoadFailure, loadFailure } from './load-failure.ts';
import { ipAddressOfUrl, RefusedAddress } from '../../../util/addresses.ts';
import { systemCode, tooLargeFailure } from './read-file.ts';

export interface UrlReading {
  bytes: Uint8Array;
  url: string;
}

export interface UrlReadingOptions {
  limits: DocumentLimits;
  /** Whether the URL may be fetched; each redirect is checked too. */
  allows: (url: URL) => boolean;
  /** Whether the address may be connected to; each connection is checked. */
  allowsAddress: (address: string, url: URL) => boolean;
  /** Replaces the built-in fetch. Then only addresses written in URLs can be checked. */
  fetch: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
}

/** The header `Accept`, which asks for the document rather than for its HTML page. */
const accept =
  'application/openapi+json, application/openapi+yaml, application/vnd.oai.openapi+json, application/vnd.oai.openapi, ' +
  'application/json, application/yaml, text/yaml, application/x-yaml, text/plain;q=0.8, */*;q=0.5';

/** Follows redirects itself, so that each hop is limited and checked. */
export async function readUrl(url: string, options: UrlReadingOptions): Promise<UrlReading | LoadFailure> {
  const timeout = AbortSignal.timeout(options.limits.timeout);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const shown = removeSecretPartsOfUrl(url);
  try {
    return await followRedirects({ url, shown }, options, signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (timeout.aborted) {
      const seconds = Math.ceil(options.limits.timeout / 1000);
      return makeUnreachableFailure(shown, `no answer came within ${seconds} seconds`);
    }
    return makeUnreachableFailure(shown, describeFailure(error));
  }
}

async function followRedirects(
  start: { url: string; shown: string },
  { limits, allows, ...asking }: UrlReadingOptions,
  signal: AbortSignal,
): Promise<UrlReading | LoadFailure> {
  const { shown } = start;
  let { url } = start;
  for (let hop = 0; hop <= limits.redirects; hop += 1) {
    const response = await sendRequest(new URL(url), asking, signal);
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return await readResponse(response, shown, url, limits.bytes);
    await response.body?.cancel();
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol))
      return makeUnreachableFailure(
        shown,
        `it redirects to ${removeSecretPartsOfUrl(location)}, which cannot be followed`,
      );
    if (!allows(next))
      return makeUnreachableFailure(shown, `it redirects to the host ${next.host}, which is not allowed`);
    url = next.href;
  }
  return makeUnreachableFailure(shown, `it redirects more than ${limits.redirects} times`);
}

async function sendRequest(
  url: URL,
  { allowsAddress, fetch }: Pick<UrlReadingOptions, 'allowsAddress' | 'fetch'>,
  signal: AbortSignal,
): Promise<Response> {
  const guard = { allowsAddress: (address: string) => allowsAddress(address, url) };
  if (fetch === undefined) {
    // The HTTP modules load slowly, and most documents are files.
    const { guardedFetch } = await import('./guarded-fetch.ts');
    return await guardedFetch(url, { headers: { accept }, signal }, guard);
  }
  const address = ipAddressOfUrl(url);
  if (address !== undefined && !guard.allowsAddress(address)) throw new RefusedAddress(address, address);
  return await fetch(url, { headers: { accept }, redirect: 'manual', signal });
}

async function readResponse(
  response: Response,
  shown: string,
  url: string,
  limit: number,
): Promise<UrlReading | LoadFailure> {
  if (!response.ok) {
    await response.body?.cancel();
    return makeUnreachableFailure(shown, `the server answered with status ${response.status}`);
  }
  const bytes = await readBody(response, shown, limit);
  return isLoadFailure(bytes) ? bytes : { bytes, url };
}

async function readBody(
  response: Response,
  source: string,
  limit: number,
): Promise<Uint8Array | LoadFailure> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    const chunk: unknown = next.value;
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > limit) {
      await reader?.cancel();
      return tooLargeFailure(source, limit);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function makeUnreachableFailure(url: string, reason: string): LoadFailure {
  const hint =
    'Check the address and your connection. If it needs a login, download the document and compile the file.';
  return loadFailure('source-unreadable', { source: url, reason, hint }, reason);
}

function describeFailure(error: unknown): string {
  if (error instanceof RefusedAddress) return `${error.message}. Allow that address itself where you mean it`;
  const cause = error instanceof Error ? error.cause : undefined;
  switch (systemCode(cause) ?? systemCode(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of the host is unknown';
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection broke';
    default: {
      const failure = cause instanceof Error && cause.message !== '' ? cause : error;
      return failure instanceof Error ? failure.message.replace(/\.$/, '') : String(failure);
    }
  }
}
