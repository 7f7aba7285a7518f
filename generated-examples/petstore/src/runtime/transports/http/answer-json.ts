/** An answer as one JSON text, and the status that goes with it. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Answer, writeAnswers } from '../../core/answer.ts';
import type { ErrorOrigin } from '../../protocol/protocol-error.ts';
import { isForScopes } from './challenge-scopes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** By what was refused. All else is 200, with the error in the body. */
export type Statuses = Partial<Record<ErrorOrigin, number>>;

export const LEGACY_STATUSES: Statuses = {
  syntax: 400,
  message: 400,
  session: 400,
  version: 400,
  header: 400,
  scope: 403,
  rate: 429,
};

export const MODERN_STATUSES: Statuses = {
  syntax: 400,
  message: 400,
  metadata: 400,
  header: 400,
  version: 400,
  method: 404,
  capability: 400,
  scope: 403,
  rate: 429,
};

export function answerJson(response: ServerResponse, answer: Answer | Answer[], statuses: Statuses): void {
  const body = writeAnswers(answer);
  const { status, headers } = headOf(answer, statuses);
  response
    .writeHead(status, {
      ...SECURITY_HEADERS,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body);
}

function headOf(
  answer: Answer | Answer[],
  statuses: Statuses,
): { status: number; headers?: OutgoingHttpHeaders } {
  if (Array.isArray(answer)) return { status: answer.every(isForScopes) ? (statuses.scope ?? 200) : 200 };
  if (answer.kind === 'result') return { status: 200 };
  const { origin, retrySeconds } = answer;
  const status = statuses[origin] ?? 200;
  return retrySeconds === undefined
    ? { status }
    : { status, headers: { 'retry-after': String(retrySeconds) } };
}
