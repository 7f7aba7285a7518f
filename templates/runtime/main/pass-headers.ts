// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The headers of HTTP requests that may be sent on to the API: each is named, and none belongs to this hop. */
import { isHttpToken } from '../contract/token-syntax.ts';
import { UsageError } from './settings.ts';

/** Headers of the connection (RFC 9110, section 7.6.1) or of the message, and headers that this server sets itself. */
const OWN = new Set(
  (
    'accept accept-encoding connection cookie2 expect forwarded host http2-settings keep-alive last-event-id origin ' +
    'te trailer transfer-encoding upgrade user-agent via'
  ).split(' '),
);

/**
 * Returns the names in lower case, each once.
 *
 * @param from the flag or variable to blame
 * @throws {UsageError} with the reason why a header can't be sent on
 */
export function checkPassedHeaders(from: string, names: readonly string[]): string[] {
  for (const name of names) {
    const reason = findObstacle(name.toLowerCase());
    if (reason !== undefined) throw new UsageError(`${from} can't be ${name}: ${reason}.`);
  }
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function findObstacle(name: string): string | undefined {
  if (!isHttpToken(name)) return 'that is no name of a header; give one name, such as X-Tenant';
  if (name === 'authorization') return 'that proves who calls this server, and is no credential for the API';
  if (name === 'cookie') return 'cookies are of this server, not of the API';
  if (name.startsWith('proxy-')) return 'it is between a client and its proxy';
  if (/^(mcp|sec)-/.test(name)) return 'it is of the protocol between the client and this server';
  if (name.startsWith('content-'))
    return 'it describes the body of the MCP message, not that of the request to the API';
  return OWN.has(name) ? 'it belongs to one connection, and this server sets its own' : undefined;
}
