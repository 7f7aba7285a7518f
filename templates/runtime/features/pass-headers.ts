// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `--pass-header`: headers of HTTP requests that go on to the API, such as X-Tenant. */
import type { ChangeSetup } from '../call-api.ts';
import { variableOf } from '../credentials.ts';
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { CONNECTION_HEADERS } from '../request.ts';
import type { Server } from '../server.ts';
import { UsageError } from '../types.ts';

export function passHeaders(): Feature {
  let names: string[] = [];
  const change: ChangeSetup = (setup, _, call) => {
    const headers = names.flatMap((name): [string, string][] => {
      const value = ownMember(call?.request.exchange.request?.headers, name);
      return value === undefined ? [] : [[name, [value].flat().join(', ')]];
    });
    if (headers.length === 0) return setup;
    // A key of the client wins over the server's.
    const keys = Object.values(setup.api.securitySchemes).flatMap((scheme): [string, string][] => {
      const key = headers.find(([name]) => scheme.in === 'header' && name === scheme.name?.toLowerCase());
      return key === undefined ? [] : [[variableOf(scheme), key[1]]];
    });
    return { ...setup, headers, env: { ...setup.env, ...Object.fromEntries(keys) } };
  };
  return {
    name: 'pass-headers',
    settings: [
      {
        flag: 'pass-header',
        value: 'name',
        isRepeatable: true,
        variable: 'MCP_PASS_HEADERS',
        help: 'Headers of HTTP requests that go on to the API, such as X-Tenant.',
      },
    ],
    parts: { setups: { headers: change } },
    start: (server) => void (names = readNames(server)),
  };
}

/** They belong to the connection, the message, or whoever calls this server. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|authorization|content-.*|cookie|dpop|forwarded|mcp-.*|origin|sec-.*|user-agent|via)$/;

/** In lower case. @throws {UsageError} */
function readNames({ flags, env }: Server): string[] {
  const { 'pass-header': ofFlag } = flags;
  const names = (ofFlag as string[] | undefined) ?? (env['MCP_PASS_HEADERS'] ?? '').split(',');
  return names.flatMap((text) => {
    const name = text.trim().toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]*$/.test(name) || CONNECTION_HEADERS.test(name) || OWN_HEADERS.test(name))
      throw new UsageError(
        `${ofFlag === undefined ? 'MCP_PASS_HEADERS' : '--pass-header'} can't be ${text}: only headers that are about the call itself go on.`,
      );
    return name === '' ? [] : name;
  });
}
