import type { Problem, Routes } from '../src/preview/protocol.ts';
import { parseJson, printJson } from './json.ts';

/** The server's answer to a request that it refuses or fails. */
export class RequestError extends Error {
  readonly hint: string | undefined;

  constructor({ message, hint }: Problem) {
    super(message);
    this.hint = hint;
  }
}

export async function ask<R extends keyof Routes>(
  route: R,
  takes: Routes[R]['takes'],
): Promise<Routes[R]['gives']> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const isRead = method === 'GET';
  const response = await fetch(isRead ? `${path}${printQuery(takes)}` : path, {
    method,
    headers: isRead ? {} : { 'content-type': 'application/json' },
    body: isRead ? null : printJson(takes),
  }).catch(() => {
    throw new RequestError({ message: 'mcpgen preview has ended.', hint: 'Start it again in the terminal.' });
  });
  const text = await response.text();
  if (!response.ok) throw new RequestError(readProblem(text, response.status));
  return parseJson(text) as unknown as Routes[R]['gives'];
}

function printQuery(takes: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(takes)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function readProblem(text: string, status: number): Problem {
  try {
    const { error } = JSON.parse(text) as { error?: Problem };
    if (typeof error?.message === 'string') return error;
  } catch {
    // No JSON: the status says enough.
  }
  if (status === 401 || status === 403)
    return { message: 'This session has ended.', hint: 'Open the address that the terminal shows.' };
  return { message: `The request failed with status ${status}.` };
}
