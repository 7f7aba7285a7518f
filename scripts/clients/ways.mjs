/** Every client with each of its ways: a transport, a mode of negotiation, an API of the model, a bridge between. */

const legacy = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'].map((version) => `legacy ${version}`);
const overAll = ['stdio', 'http', 'sse'];

export const ways = [
  ...each('sdk-1', '@modelcontextprotocol/sdk', 'official-1', [...overAll, 'ws']),
  ...each('client-2', '@modelcontextprotocol/client', 'official-2', overAll, [...legacy, 'auto']),
  // HTTP+SSE ends with revision 2024-11-05: nothing newer can be pinned there.
  ...each('client-2', '@modelcontextprotocol/client', 'official-2', ['stdio', 'http'], ['pin 2026-07-28']),
  ...each('inspector', '@modelcontextprotocol/inspector', 'inspector', overAll),
  ...withModel('ai-sdk', '@ai-sdk/mcp', overAll, ['chat', 'responses', 'responses legacy']),
  ...withModel('langchain', '@langchain/mcp-adapters', overAll),
  ...withModel('mastra', '@mastra/mcp', ['stdio', 'http'], ['2026-07-28', 'legacy']),
  ...withModel('openai-agents', '@openai/agents', overAll, ['responses', 'chat_completions']),
  ...readingUntil(100, withModel('google-genai', '@google/genai', overAll)),
  ...readingUntil(1, withModel('google-adk', '@google/adk', ['stdio', 'http'])),
  ...bridged('mcp-remote', 'http', 'stdio'),
  ...bridged('mcp-remote', 'sse', 'stdio'),
  ...bridged('supergateway', 'stdio', 'http'),
  ...bridged('supergateway', 'stdio', 'sse'),
  ...bridged('supergateway', 'http', 'stdio'),
  ...bridged('supergateway', 'sse', 'stdio'),
];

function each(client, name, driver, transports, modes = [''], rest = {}) {
  return transports.flatMap((transport) =>
    modes.map((mode) => ({ client, package: name, driver, transport, mode, ...rest })),
  );
}

function withModel(client, name, transports, modes) {
  return each(client, name, client, transports, modes, { hasModel: true });
}

function readingUntil(readsUntil, some) {
  return some.map((way) => ({ ...way, readsUntil }));
}

/** `transport`: of the emitted server; `side`: the transport that the official clients speak. */
function bridged(client, transport, side) {
  const bridge = { program: client, side };
  return [
    ...each(client, client, 'official-1', [transport], [''], { bridge }),
    ...each(client, client, 'official-2', [transport], ['auto'], { bridge }),
  ];
}
