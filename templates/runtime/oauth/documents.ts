/** What anyone may read, by path: the metadata of this server, and where those of its issuer are. */
import type { Implementation } from '../definition.ts';
import type { Guard, OpenDocument } from '../transports/http/guard.ts';
import type { AskIssuer } from './ask-issuer.ts';
import { discoverIssuer } from './issuer-metadata.ts';
import { RETRY_SECONDS } from './limits.ts';
import { describeResource, metadataPaths, pointerPaths } from './metadata.ts';
import type { AuthSettings } from './settings.ts';
import { CheckFailure } from './token-refusal.ts';

export interface DocumentsOptions {
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
