// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Keys from MCP_STATE_SECRET. */
import { createHmac, hkdfSync } from 'node:crypto';

type Environment = Readonly<Record<string, string | undefined>>;

/** Keys for one purpose: the first one signs, and each verifies. */
export type Keys = readonly [Buffer, ...Buffer[]];

/** Derives keys that fit no other purpose and no other server (RFC 5869). @returns undefined without MCP_STATE_SECRET */
export function deriveSharedKeys(
  { MCP_STATE_SECRET: secret, MCP_STATE_SECRET_PREVIOUS: previous }: Environment,
  server: string,
  purpose: string,
  bytes = 32,
): Keys | undefined {
  const deriveKey = (from: string): Buffer =>
    Buffer.from(hkdfSync('sha256', from, server, `mcpgen ${purpose} 1`, bytes));
  if (!secret) return undefined;
  return previous ? [deriveKey(secret), deriveKey(previous)] : [deriveKey(secret)];
}

export function hmacSha256(key: Buffer, content: Buffer | string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
