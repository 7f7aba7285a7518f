/** A call of a tool of 2026-07-28: its message and its headers. */
import { modern, modernHead } from '../client.ts';

export function modernCall(
  name: string,
  headers: Record<string, string>,
  args: object = {},
): [message: object, headers: Record<string, string>] {
  const head = { ...modernHead('tools/call'), 'mcp-name': name };
  return [modern('tools/call', { name, arguments: args }), { ...head, ...headers }];
}
