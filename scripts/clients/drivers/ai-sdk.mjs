/** Vercel's AI SDK. */
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount } from 'ai';

/** `task`: `mode`: the model's API, with `legacy` the client doesn't probe. */
export async function drive({ transport, mode, program, url, model }) {
  const [api, era] = mode.split(' ');
  const client = await createMCPClient({
    transport: program ? new Stdio(program) : { type: transport, url },
    protocolVersionDiscovery: era !== 'legacy',
  });
  try {
    const tools = await client.tools();
    const openai = createOpenAI({ baseURL: `${model}/v1`, apiKey: 'none' });
    const { text } = await generateText({
      model: api === 'chat' ? openai.chat('fake') : openai.responses('fake'),
      tools,
      stopWhen: isStepCount(8),
      prompt: 'Go on.',
      maxRetries: 0,
    });
    return { revision: client.initializeResult?.protocolVersion, listed: Object.keys(tools), text };
  } finally {
    await client.close();
  }
}
