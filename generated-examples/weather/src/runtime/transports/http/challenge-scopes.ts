import type { ServerResponse } from 'node:http';
import type { Answered } from '../../core/core.ts';
import type { Caller, Guard } from './guard.ts';

/** Says with a refusal for want of scopes which token to come back with. In a batch there is one head for many answers. */
export function challengeScopes(
  answer: Answered,
  response: ServerResponse,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (guard === undefined || caller === undefined || response.headersSent) return;
  if (answer === undefined || Array.isArray(answer) || answer.kind !== 'error') return;
  if (answer.scopes !== undefined)
    response.setHeader('www-authenticate', guard.lacking(answer.scopes, caller));
}
