// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Keys from MCP_STATE_SECRET, and what is accepted once. */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Setting } from '../settings.ts';
import type { Env } from '../types.ts';

declare module '../feature.ts' {
  interface Services {
    once: OnceGuard;
  }
}

export const STATE_SECRETS: readonly Setting[] = [
  {
    variable: 'MCP_STATE_SECRET',
    help: 'Signs what clients carry between requests: 32 characters or more, the same on all nodes. If unset, each process has its own.',
  },
  {
    variable: 'MCP_STATE_SECRET_PREVIOUS',
    help: 'The secret before: what it signed is accepted until it expires.',
  },
];

/** Accepts each key once. `scope` names the processes that share what has been accepted. */
export interface OnceGuard {
  readonly scope: string;
  take(key: string, ttlMs: number): boolean | Promise<boolean>;
}

const MAX_TAKEN = 100_000;

export class OnceInMemory implements OnceGuard {
  readonly scope = randomBytes(12).toString('base64url');
  readonly #expiries = new Map<string, number>();

  take(key: string, ttlMs: number): boolean {
    const now = Date.now();
    for (const [taken, expires] of this.#expiries) if (expires < now) this.#expiries.delete(taken);
    // Forgetting one that has not expired would accept it again.
    if (this.#expiries.has(key) || this.#expiries.size >= MAX_TAKEN) return false;
    this.#expiries.set(key, now + ttlMs);
    return true;
  }
}

/** The first key signs, and each verifies. They fit no other purpose and no other server (RFC 5869). */
export type Keys = readonly [Buffer, ...Buffer[]];

export function deriveKeys(env: Env, server: string, purpose: string): Keys {
  const derive = (secret: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, server, `mcpgen ${purpose} 1`, 32));
  const { MCP_STATE_SECRET: secret, MCP_STATE_SECRET_PREVIOUS: previous } = env;
  if (!secret) return [randomBytes(32)];
  return previous ? [derive(secret), derive(previous)] : [derive(secret)];
}

const signatureOf = (key: Buffer, payload: string): string =>
  createHmac('sha256', key).update(payload).digest('base64url');

/** `payload.signature`, both in base64url. */
export function sign([key]: Keys, content: Uint8Array): string {
  const payload = Buffer.from(content).toString('base64url');
  return `${payload}.${signatureOf(key, payload)}`;
}

/** The content, or undefined unless one of the keys signed exactly this text. */
export function openSigned(keys: Keys, text: string): Buffer | undefined {
  const [payload = '', signature = '', ...more] = text.split('.');
  // Base64 is decoded leniently, so texts are compared: several would decode to the same bytes.
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, payload));
    const actual = Buffer.from(signature);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
  return isSigned && more.length === 0 ? Buffer.from(payload, 'base64url') : undefined;
}
