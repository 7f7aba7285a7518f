/** LangChain's adapters, with its agent. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';

export async function drive({ transport, program, url, model }) {
  const server = program ? { transport, ...program } : { transport, url, automaticSSEFallback: false };
  const client = new MultiServerMCPClient({ mcpServers: { api: server } });
  try {
    const tools = await client.getTools();
    const configuration = { baseURL: `${model}/v1` };
    const chat = new ChatOpenAI({ model: 'fake', apiKey: 'none', maxRetries: 0, configuration });
    await createAgent({ model: chat, tools }).invoke({ messages: [{ role: 'user', content: 'Go on.' }] });
    return { listed: tools.map(({ name }) => name) };
  } finally {
    await client.close();
  }
}
