/** The body of a Close frame: nothing, or a code and a reason (RFC 6455, section 5.5.1). */
import { isUtf8 } from 'node:buffer';
import { INVALID_PAYLOAD_DATA, isCloseCode, NO_STATUS_RECEIVED, PROTOCOL_ERROR } from './close-code.ts';
import { ProtocolFault } from './protocol-fault.ts';

export interface CloseStatus {
  code: number;
  reason: string;
}

const MOST_REASON_BYTES = 123;

/** @throws {ProtocolFault} */
export function readCloseBody(body: Buffer): CloseStatus {
  if (body.length === 0) return { code: NO_STATUS_RECEIVED, reason: '' };
  const code = body.length === 1 ? 0 : body.readUInt16BE(0);
  if (!isCloseCode(code)) throw new ProtocolFault(PROTOCOL_ERROR, 'The close code must not be sent.');
  const reason = body.subarray(2);
  if (!isUtf8(reason)) throw new ProtocolFault(INVALID_PAYLOAD_DATA, 'The close reason is not UTF-8.');
  return { code, reason: reason.toString('utf8') };
}

/**
 * A reason that is too long for a control frame is cut between two characters.
 *
 * @throws {RangeError} on a code that must not be sent
 */
export function writeCloseBody({ code, reason }: CloseStatus): Buffer {
  if (code === NO_STATUS_RECEIVED) return Buffer.alloc(0);
  if (!isCloseCode(code)) throw new RangeError(`The close code ${code} must not be sent.`);
  const body = Buffer.alloc(2 + MOST_REASON_BYTES);
  body.writeUInt16BE(code, 0);
  // Writes whole characters alone.
  return body.subarray(0, 2 + body.write(reason, 2, 'utf8'));
}
