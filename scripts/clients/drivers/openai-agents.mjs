/** OpenAI's Agents SDK. */
import {
  Agent,
  MCPServerSSE,
  MCPServerStdio,
  MCPServerStreamableHttp,
  run,
  setOpenAIAPI,
  setTracingDisabled,
} from '@openai/agents';

/** `task`: `mode`: the model's API, `responses` or `chat_completions`. */
export async function drive({ transport, mode, program, url, model }) {
  process.env.OPENAI_BASE_URL = `${model}/v1`;
  process.env.OPENAI_API_KEY = 'none';
  setTracingDisabled(true);
  setOpenAIAPI(mode);
  const server = open(transport, program, url);
  await server.connect();
  try {
    const listed = await server.listTools();
    await run(new Agent({ name: 'agent', model: 'fake', mcpServers: [server] }), 'Go on.', { maxTurns: 8 });
    return { listed: listed.map(({ name }) => name) };
  } finally {
    await server.close();
  }
}

function open(transport, program, url) {
  if (transport === 'stdio') return new MCPServerStdio({ name: 'api', ...program });
  return transport === 'http'
    ? new MCPServerStreamableHttp({ name: 'api', url })
    : new MCPServerSSE({ name: 'api', url });
}
