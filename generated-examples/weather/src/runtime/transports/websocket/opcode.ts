/** What a frame is (RFC 6455, section 5.2). The numbers between and after these are reserved. */
export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

const KNOWN: ReadonlySet<number> = new Set([CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG]);

export function isKnownOpcode(opcode: number): boolean {
  return KNOWN.has(opcode);
}

/** Close, Ping, Pong and those still to be defined (section 5.5). */
export function isControlOpcode(opcode: number): boolean {
  return (opcode & 0x8) !== 0;
}
