/** Reports risky destinations of credentials: unencrypted, in a private network, or on another site. */
import type { ServerBinding, UpstreamBinding } from '../../model/bindings.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import {
  mapCredentialOrigins,
  type CredentialOrigins,
  REQUESTS,
  isHeadersVariable,
  listHttpBindingsOfModel,
} from '../../model/credential-origins.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { isPublicHost } from '../../util/addresses.ts';
import type { DocumentPart } from '../names/variable-clashes.ts';

/** Selects the first server, which requests go to by default. */
const defaultServer = (servers: readonly ServerBinding[]): readonly ServerBinding[] => servers.slice(0, 1);

export function reportUnsafeCredentialTargets(
  parts: readonly DocumentPart[],
  diagnostics: DiagnosticCollector,
): void {
  for (const { source, surface } of parts) {
    const { upstream } = surface;
    if (upstream === undefined) continue;
    const sentTo = mapCredentialOrigins([upstream], listHttpBindingsOfModel(surface), defaultServer);
    const { origin: at } = source;
    const byOrigin = new Map<string, string[]>();
    for (const [{ protocol, hostname, origin }, credential] of listCredentialOrigins(sentTo))
      if (protocol === 'http:' && !isLoopback(hostname))
        byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), credential]);
    for (const [origin, credentials] of byOrigin)
      diagnostics.report('credentials-unencrypted', { origin, credentials: credentials.join(', ') }, { at });

    reportPrivateServers(sentTo, upstream, source, diagnostics);
    reportCredentialsToOtherSites(sentTo, source, diagnostics);
  }
}

/** Templates with a host that only the environment knows are left out. */
function listCredentialOrigins(sentTo: CredentialOrigins): [origin: URL, credential: string][] {
  return Object.entries(sentTo).flatMap(([credential, origins]) =>
    origins
      .filter((origin) => credential !== REQUESTS && !isHeadersVariable(credential) && URL.canParse(origin))
      .map((origin): [URL, string] => [new URL(origin), credential]),
  );
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(?:127\.|\[::1\]$)/.test(hostname);
}

/** Reports servers in private networks that a document from a public host names. Base URLs of the user are exempt. */
function reportPrivateServers(
  sentTo: CredentialOrigins,
  { servers }: UpstreamBinding,
  { origin: at, servers: described }: SourceModel,
  diagnostics: DiagnosticCollector,
): void {
  if (at.kind !== 'document' || !/^https?:/i.test(at.file) || !URL.canParse(at.file)) return;
  if (!isPublicHost(new URL(at.file).hostname)) return;
  const stated =
    servers === described ? [] : servers.flatMap(({ url }) => (URL.canParse(url) ? new URL(url).origin : []));
  const inward = (sentTo[REQUESTS] ?? []).filter(
    (origin) => !stated.includes(origin) && URL.canParse(origin) && !isPublicHost(new URL(origin).hostname),
  );
  for (const origin of inward) diagnostics.report('server-inward', { origin }, { at });
}

function reportCredentialsToOtherSites(
  sentTo: CredentialOrigins,
  { origin: at }: SourceModel,
  diagnostics: DiagnosticCollector,
): void {
  const sites = new Set(
    (sentTo[REQUESTS] ?? [])
      .filter((origin) => URL.canParse(origin))
      .map((origin) => registrableDomain(new URL(origin).hostname)),
  );
  if (sites.size === 0) return;
  const isClientSecret = (credential: string): boolean => credential.startsWith('OAUTH_CLIENT_SECRET_');
  const elsewhere = listCredentialOrigins(sentTo).filter(
    ([{ hostname }, credential]) => isClientSecret(credential) && !sites.has(registrableDomain(hostname)),
  );
  for (const [{ origin }, credential] of elsewhere)
    diagnostics.report('token-endpoint-elsewhere', { origin, credential }, { at });
}

/**
 * Second-level labels under which countries and providers register names. The list is incomplete: another such label
 * only makes two owners count as one site.
 */
const SHARED = new Set([
  ...'ac co com edu gob gov go gouv govt id ind info mil ne net nom or org'.split(' '),
  ...'amazonaws.com appspot.com azure-api.net azurewebsites.net cloudfront.net fly.dev github.io'.split(' '),
  ...'herokuapp.com netlify.app ngrok.io onrender.com pages.dev run.app vercel.app workers.dev'.split(' '),
]);

/** The registrable part of a host: the last two labels, or more where owners share those. */
function registrableDomain(hostname: string): string {
  const host = hostname.replace(/\.$/, '');
  const labels = host.split('.');
  const [second = '', last = ''] = labels.slice(-2);
  if (/^[\d.]+$|^\[/.test(host) || SHARED.has(`${second}.${last}`)) return host;
  return labels.slice(last.length === 2 && SHARED.has(second) ? -3 : -2).join('.');
}
