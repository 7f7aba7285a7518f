/** Every client with each of its ways: a transport, a mode of negotiation, an API of the model, a bridge between. */

/**
 * @typedef {object} Way
 * @property {string} client the name that `--only` chooses
 * @property {string} package whose version is shown
 * @property {string} driver a module of `drivers/`
 * @property {string} transport of the emitted server: stdio, http, sse or ws
 * @property {string} mode
 * @property {import('./bridges.mjs').Bridge} [bridge]
 * @property {boolean} [hasModel] the client offers the tools to a model, which calls them
 * @property {number} [readsUntil] it has that many tools, and no further page: a known limit of the client
 */

const legacy = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'].map((version) => `legacy ${version}`);
const overAll = ['stdio', 'http', 'sse'];

/** @type {Way[]} */
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

/** @param {string} transport of the emitted server @param {string} side the transport that the official clients speak */
function bridged(client, transport, side) {
  const bridge = { program: client, side };
  return [
    ...each(client, client, 'official-1', [transport], [''], { bridge }),
    ...each(client, client, 'official-2', [transport], ['auto'], { bridge }),
  ];
}
