// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `MCP_TRUSTED_PROXIES`: behind a reverse proxy, `X-Forwarded-For` names the client that limits count. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Feature } from '../feature.ts';
import { plainAddress } from '../http-handler.ts';
import { splitList } from '../http.ts';
import { UsageError } from '../types.ts';

export function trustedProxies(): Feature {
  const proxies = new BlockList();
  return {
    name: 'trusted-proxies',
    settings: [
      {
        variable: 'MCP_TRUSTED_PROXIES',
        help: 'Addresses or blocks whose X-Forwarded-For names the client.',
      },
    ],
    start: (server) =>
      splitList(server.env['MCP_TRUSTED_PROXIES']).forEach((block) => addBlock(proxies, block)),
    parts: { address: { forwarded: (request: IncomingMessage) => readAddress(request, proxies) } },
  };
}

function addBlock(proxies: BlockList, block: string): void {
  const [address = '', length] = block.split('/');
  const isV6 = isIP(address) === 6;
  try {
    // 0 would be everybody, and so would `Number('')`.
    proxies.addSubnet(address, Number(length ?? (isV6 ? 128 : 32)) || NaN, isV6 ? 'ipv6' : 'ipv4');
  } catch {
    throw new UsageError(`MCP_TRUSTED_PROXIES must hold addresses or blocks, not ${block}.`);
  }
}

/** The header is read from the right: anyone can write the rest. */
function readAddress({ socket, headers }: IncomingMessage, proxies: BlockList): string {
  const hops = splitList(String(headers['x-forwarded-for'] ?? '')).slice(-20);
  let address = plainAddress(socket.remoteAddress ?? '');
  const isTrusted = (): boolean =>
    isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  while (isTrusted() && hops.length > 0) {
    const hop = plainAddress(hops.pop() ?? '');
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}
