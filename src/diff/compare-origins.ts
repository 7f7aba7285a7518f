import { type CredentialOrigins, REQUESTS } from '../model/credential-origins.ts';
import { effectOf } from './change-kinds.ts';
import type { Change } from './surface-diff.ts';

/** Compares the origins of requests and credentials. A new origin can break an operator's setup, like a renamed tool a client. */
export function diffOrigins(
  before: CredentialOrigins | undefined,
  after: CredentialOrigins | undefined,
): Change[] {
  if (before === undefined || after === undefined) return [];
  const [was, now] = [credentialsByOrigin(before), credentialsByOrigin(after)];
  const added = [...now].flatMap(([name, credentials]): Change[] => {
    const known = was.get(name);
    if (known === undefined) return [originChange(name, 'origin-added', `added${forWords(credentials)}`)];
    // Only a known credential is reported: it may be meant for its other origins only.
    const moved = credentials.filter((each) => !known.includes(each) && Object.hasOwn(before, each));
    return moved.length === 0 ? [] : [originChange(name, 'origin-added', `gets ${moved.join(', ')} too`)];
  });
  const removed = [...was]
    .filter(([name]) => !now.has(name))
    .map(([name, credentials]) => originChange(name, 'origin-removed', `removed${forWords(credentials)}`));
  return [...added, ...removed];
}

function credentialsByOrigin(sentTo: CredentialOrigins): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [credential, origins] of Object.entries(sentTo))
    for (const origin of origins)
      found.set(origin, [...(found.get(origin) ?? []), ...(credential === REQUESTS ? [] : [credential])]);
  return found;
}

function forWords(credentials: readonly string[]): string {
  return credentials.length === 0 ? '' : `, for ${credentials.join(', ')}`;
}

function originChange(name: string, kind: Change['kind'], text: string): Change {
  return { item: 'origin', name, kind, effect: effectOf(kind), text };
}
