/** A small API on loopback. */
import { httpServer } from '../support/loopback.ts';

export interface FakeApi {
  url: string;
  /** `GET /pets/1?x=y`, in the order they came. */
  requests: string[];
  close: () => Promise<void>;
}

/** Answers each request with what `answer` says of its method and target. */
export async function startApi(
  answer: (target: string) => { status?: number; json?: unknown; text?: string; type?: string } | undefined,
): Promise<FakeApi> {
  const requests: string[] = [];
  const server = await httpServer((request, response) => {
    const target = `${request.method} ${request.url}`;
    requests.push(target);
    const found = answer(target);
    if (found === undefined) return;
    const { status = 200, json, text } = found;
    const { type = text === undefined ? 'application/json' : 'text/plain' } = found;
    response.writeHead(status, { 'content-type': type }).end(text ?? JSON.stringify(json));
  });
  return { ...server, requests };
}
