import type { ServerResponse } from 'node:http';
import type { Answer } from '../../core/answer.ts';
import type { Answered } from '../../core/core.ts';
import type { Caller } from '../../core/caller.ts';
import type { Guard } from './guard.ts';

/**
 * Says with a refusal for want of scopes which token to come back with. In a batch there is one head for many answers: it
 * is theirs where all are refused so.
 */
export function challengeScopes(
  answer: Answered,
  response: ServerResponse,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (guard === undefined || caller === undefined || answer === undefined || response.headersSent) return;
  const answers = Array.isArray(answer) ? answer : [answer];
  if (answers.length === 0 || !answers.every(isForScopes)) return;
  const scopes = new Set(answers.flatMap((each) => each.scopes));
  response.setHeader('www-authenticate', guard.lacking([...scopes], caller));
}

type Refused = Extract<Answer, { kind: 'error' }> & { scopes: readonly string[] };

/** Refused for want of scopes. */
export function isForScopes(answer: Answer): answer is Refused {
  return answer.kind === 'error' && answer.scopes !== undefined;
}
