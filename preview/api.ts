import type { Problem, Routes } from '../src/preview/protocol.ts';
import { parseJson, printJson } from './json.ts';

/** The server's answer to a request that it refuses or fails. */
export class RequestError extends Error {
  readonly hint: string | undefined;
  readonly status: number;

  constructor({ message, hint }: Problem, status = 0) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

/** Session storage is of one origin, port included: other servers on this host cannot read it. It outlives a reload of the tab. */
const SECRET = 'mcpgen-preview';

function authorization(): Record<string, string> {
  const secret = sessionStorage.getItem(SECRET);
  return secret === null ? {} : { authorization: `Bearer ${secret}` };
}

/** Exchanges the token of the address, if it has one, for the secret that all requests carry. */
export async function openSession(): Promise<void> {
  const token = new URLSearchParams(location.search).get('token');
  if (token === null) return;
  history.replaceState(null, '', `/${location.hash}`);
  const { secret } = await ask('POST /api/session', { token });
  sessionStorage.setItem(SECRET, secret);
}

export async function ask<R extends keyof Routes>(
  route: R,
  takes: Routes[R]['takes'],
): Promise<Routes[R]['gives']> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const isRead = method === 'GET';
  const response = await fetch(isRead ? `${path}${printQuery(takes)}` : path, {
    method,
    headers: { ...authorization(), ...(isRead ? {} : { 'content-type': 'application/json' }) },
    body: isRead ? null : printJson(takes),
  }).catch(() => {
    throw new RequestError({ message: 'mcpgen preview has ended.', hint: 'Start it again in the terminal.' });
  });
  const text = await response.text();
  if (!response.ok) throw new RequestError(readProblem(text, response.status), response.status);
  return parseJson(text) as unknown as Routes[R]['gives'];
}

/** Reads the server's events until the stream ends; `EventSource` sends no headers. Resolves to false if the server refuses them. */
export async function readEvents(onOpen: () => void, onChange: () => void): Promise<boolean> {
  const response = await fetch('/api/events', { headers: authorization() });
  if (!response.ok || response.body === null) return response.status !== 401;
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let line = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) return true;
    const lines = `${line}${value}`.split('\n');
    line = lines.pop() ?? '';
    if (lines.includes('event: changed')) onChange();
  }
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
