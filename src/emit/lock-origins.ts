/** What the lock remembers of credentials: the origins that each is sent to (ADR 43). */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { Bindings } from '../../templates/runtime/contract/bindings.ts';
import { bindingOrigins, type CredentialOrigins } from '../model/credential-origins.ts';
import { hashContents, isHashOf } from './hash.ts';

export interface LockedOrigins {
  sentTo: CredentialOrigins;
  /** Of `sentTo`, so that a list which a person or a merge has changed counts for nothing. */
  hash: string;
}

/** The file that the origins of a project can be read from where its lock says none. */
export const BINDINGS = 'src/generated/bindings.json';

export function sealedOrigins(sentTo: CredentialOrigins): LockedOrigins {
  return { sentTo, hash: hashContents(JSON.stringify(sentTo)) };
}

/** `undefined` where there are none, or where they are not as mcpgen wrote them. */
export function originsIn(value: unknown): LockedOrigins | undefined {
  if (!isRecord(value) || !isRecord(value['sentTo'])) return undefined;
  const { sentTo, hash } = value;
  if (!isCredentialOrigins(sentTo) || hash !== sealedOrigins(sentTo).hash) return undefined;
  return { sentTo, hash };
}

function isCredentialOrigins(value: unknown): value is CredentialOrigins {
  return (
    isRecord(value) &&
    Object.values(value).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'))
  );
}

/**
 * The origins of a project as it was generated: those of its lock, else those of its bindings, where they are as the lock
 * has them. A lock that neither fits knows none, so that each origin has to be accepted. `undefined`: there is no project.
 *
 * @param bindings the text of `BINDINGS`; undefined where there is no such file
 */
export function knownOrigins(
  lock: { files: Record<string, string>; origins?: LockedOrigins } | undefined,
  bindings: string | undefined,
): { origins: CredentialOrigins; from: 'lock' | 'bindings' } | undefined {
  if (lock?.origins !== undefined) return { origins: lock.origins.sentTo, from: 'lock' };
  if (lock === undefined && bindings === undefined) return undefined;
  const isGenerated = lock === undefined || isHashOf(lock.files[BINDINGS], BINDINGS, bindings ?? '');
  return { origins: (isGenerated && readBindings(bindings ?? '')) || {}, from: 'bindings' };
}

function readBindings(text: string): CredentialOrigins | undefined {
  try {
    return bindingOrigins(JSON.parse(text) as Bindings);
  } catch {
    // They are not as mcpgen writes them.
    return undefined;
  }
}
