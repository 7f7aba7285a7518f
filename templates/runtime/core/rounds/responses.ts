/** The client's answers to the questions of an earlier round (MCP `InputResponses`). */
import { isRecord } from '../../contract/json-value.ts';
import { type Params } from '../../protocol/json-rpc.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';

export type Responses = Readonly<Record<string, Record<string, unknown>>>;

const NONE: Responses = {};

/** @throws {ProtocolError} `-32602` when they are no object of objects */
export function readResponses({ inputResponses }: Params): Responses {
  if (inputResponses === undefined) return NONE;
  if (!isRecord(inputResponses)) throw invalidParams('`inputResponses` must be an object.');
  const wrong = Object.entries(inputResponses).find(([, response]) => !isRecord(response));
  if (wrong === undefined) return inputResponses as Responses;
  throw invalidParams(`\`inputResponses[${JSON.stringify(wrong[0])}]\` must be an object.`);
}
