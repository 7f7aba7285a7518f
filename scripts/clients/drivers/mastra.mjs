/** Mastra: its tools are named `<server>_<tool>`. */
import { Agent } from '@mastra/core/agent';
import { MCPClient } from '@mastra/mcp';
import { createOpenAI } from '@ai-sdk/openai';

/** `task`: `mode`: the revision, empty for the client's default. */
export async function drive({ mode, program, url, model }) {
  const target = program ?? { url: new URL(url) };
  const server = mode === '' ? target : { ...target, protocolVersion: mode };
  const client = new MCPClient({ servers: { api: server }, timeout: 60_000 });
  try {
    const tools = await client.listTools();
    const openai = createOpenAI({ baseURL: `${model}/v1`, apiKey: 'none' });
    const agent = new Agent({
      id: 'agent',
      name: 'agent',
      instructions: 'Go on.',
      model: openai.chat('fake'),
      tools,
    });
    await agent.generate('Go on.', { maxSteps: 8 });
    return { listed: Object.keys(tools) };
  } finally {
    await client.disconnect();
  }
}
