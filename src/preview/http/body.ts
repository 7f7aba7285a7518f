import type { IncomingMessage } from 'node:http';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { Refusal } from '../problem.ts';
import { tryParseJson } from '../../util/try-parse-json.ts';

/** Bytes of a request's body. */
const MOST_BYTES = 1024 * 1024;

/** @throws {Refusal} */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const tooLong = new Refusal(413, `The body is longer than ${String(MOST_BYTES)} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLong;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MOST_BYTES) throw tooLong;
    chunks.push(bytes);
  }
  const value = tryParseJson(Buffer.concat(chunks).toString('utf8'));
  if (!isRecord(value)) throw new Refusal(400, 'The body must be a JSON object.');
  return value;
}

/** Each parameter once. @throws {Refusal} */
export function parseQuery({ searchParams }: URL): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(parameters, name)) throw new Refusal(400, `The query has "${name}" twice.`);
    parameters[name] = value;
  }
  return parameters;
}
