/** An answer as one JSON text, and the status that goes with it. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Answer, writeAnswers } from '../../core/answer.ts';
import type { ErrorOrigin } from '../../protocol/protocol-error.ts';

/** By what was refused. All else is 200, with the error in the body. */
export type Statuses = Partial<Record<ErrorOrigin, number>>;

export const LEGACY_STATUSES: Statuses = {
  syntax: 400,
  message: 400,
  session: 400,
  version: 400,
  header: 400,
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
  rate: 429,
};

export function answerJson(
  response: ServerResponse,
  answer: Answer | Answer[],
  statuses: Statuses,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = writeAnswers(answer);
  const status = !Array.isArray(answer) && answer.kind === 'error' ? (statuses[answer.origin] ?? 200) : 200;
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body);
}
