import type { IncomingMessage } from 'node:http';

/**
 * The address that a client without a session is counted by. Whoever has one address of IPv6 has its whole /64
 * (RFC 6177, section 2), so only that counts.
 */
export function clientAddress({ socket: { remoteAddress = '' } }: IncomingMessage): string {
  // IPv4, or IPv4 written as IPv6.
  if (remoteAddress.includes('.') || !remoteAddress.includes(':')) return remoteAddress;
  const [head = '', tail] = remoteAddress.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  const filled = [...groups, ...Array<string>(missing).fill('0'), ...(tail?.split(':') ?? [])];
  return `${filled.slice(0, 4).join(':')}::/64`;
}
