/** Where requests and credentials of two servers go: for operators, a new place is what a renamed tool is for clients. */
import { type CredentialOrigins, REQUESTS } from '../model/credential-origins.ts';
import { effectOf } from './change-kinds.ts';
import type { Change } from './surface-diff.ts';

/** Nothing where one side is not known. */
export function diffOrigins(
  before: CredentialOrigins | undefined,
  after: CredentialOrigins | undefined,
): Change[] {
  if (before === undefined || after === undefined) return [];
  const [was, now] = [credentialsByOrigin(before), credentialsByOrigin(after)];
  const added = [...now].flatMap(([name, credentials]): Change[] => {
    const known = was.get(name);
    if (known === undefined) return [change(name, 'origin-added', `added${forWords(credentials)}`)];
    // A new credential is in nobody's environment yet; one that is may be meant for other origins alone.
    const moved = credentials.filter((each) => !known.includes(each) && Object.hasOwn(before, each));
    return moved.length === 0 ? [] : [change(name, 'origin-added', `gets ${moved.join(', ')} too`)];
  });
  const removed = [...was]
    .filter(([name]) => !now.has(name))
    .map(([name, credentials]) => change(name, 'origin-removed', `removed${forWords(credentials)}`));
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

function change(name: string, kind: Change['kind'], text: string): Change {
  return { item: 'origin', name, kind, effect: effectOf(kind), text };
}
