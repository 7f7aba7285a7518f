/** What is answered to a message that is over its limit, and so was not kept. */
import type { RequestId } from '../protocol/json-rpc.ts';

/** Bytes of its beginning and of its end that are kept: clients write the id of a request at one of the two. */
export const KEPT_BYTES = 256;

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,15})`;
const HEAD = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:${ID}\s*,\s*)?"method"\s*:`);
const TAIL = new RegExp(String.raw`${ID}\s*\}\s*$`);

/** The id of a request, from its beginning and its end; `undefined` where neither says it, so that nobody is answered. */
export function idOfTooLong(head: string, tail: string): RequestId | undefined {
  const start = HEAD.exec(head);
  const id = start === null ? undefined : (start[1] ?? TAIL.exec(tail)?.[1]);
  return id === undefined ? undefined : (JSON.parse(id) as RequestId);
}

export function tooLongWords(limit: number): string {
  return (
    `The message is longer than ${limit} bytes, the most that this server takes. Give less at a time; ` +
    'a file can be given by its name, as file:<path>, where the server was started with --files <folder>.'
  );
}
