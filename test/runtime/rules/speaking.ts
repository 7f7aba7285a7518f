/** The rules that hold in every revision are tried in each of them. */
import { LEGACY_REVISIONS, META, MODERN_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import { hello, type Reply } from '../harness.ts';
import { metaOf, subject, type Subject } from './subject.ts';

export const ALL: readonly string[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
export const NEWEST_LEGACY = '2025-11-25';
export const isModernRevision = (revision: string): boolean => MODERN_REVISIONS.includes(revision);

/** The rows of a table, each in each of the revisions. */
export function inEach<T extends unknown[]>(
  revisions: readonly string[],
  rows: readonly T[],
): [string, ...T][] {
  return revisions.flatMap((revision) => rows.map((row): [string, ...T] => [revision, ...row]));
}

export interface Speaking extends Subject {
  /** A request as the revision has it. */
  put: (method: string, params?: object, meta?: Record<string, unknown>) => Promise<Reply>;
}

/** A server, and a client that has agreed with it on the revision. */
export async function speaking(
  revision: string,
  server: Subject = subject(),
  capabilities: object = {},
): Promise<Speaking> {
  if (isModernRevision(revision)) {
    const can = { [`${META}clientCapabilities`]: capabilities };
    return {
      ...server,
      put: (method, params, meta) =>
        server.ask(method, {
          ...params,
          _meta: metaOf({ [`${META}protocolVersion`]: revision, ...can, ...meta }),
        }),
    };
  }
  await server.ask('initialize', { ...hello(revision), capabilities });
  await server.notify('notifications/initialized');
  return {
    ...server,
    put: (method, params, meta) => server.ask(method, { ...params, ...(meta && { _meta: meta }) }),
  };
}

/** A result without what every modern one has. */
export function plain(result: object = {}): Record<string, unknown> {
  const { _meta, resultType, ttlMs, cacheScope, ...rest } = result as Record<string, unknown>;
  void [_meta, resultType, ttlMs, cacheScope];
  return rest;
}
