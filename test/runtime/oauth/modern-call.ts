/** A call of a tool in the modern era: its message and its headers. */
export function modernCall(
  name: string,
  headers: Record<string, string>,
  args: object = {},
): [message: object, headers: Record<string, string>] {
  const key = 'io.modelcontextprotocol/';
  const version = '2026-07-28';
  const meta = { [`${key}protocolVersion`]: version, [`${key}clientCapabilities`]: {} };
  const message = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: args, _meta: meta },
  };
  return [
    message,
    { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name, ...headers },
  ];
}
