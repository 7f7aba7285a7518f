/** Google's Agent Development Kit: it connects anew for each call. */
import { Gemini, InMemoryRunner, LlmAgent, MCPToolset } from '@google/adk';

export async function drive({ program, url, model }) {
  process.env.GOOGLE_GEMINI_BASE_URL = model;
  const toolset = new MCPToolset(
    program
      ? { type: 'StdioConnectionParams', serverParams: program }
      : { type: 'StreamableHTTPConnectionParams', url },
  );
  try {
    const listed = await toolset.getTools();
    const gemini = new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none' });
    const agent = new LlmAgent({ name: 'agent', model: gemini, instruction: 'Go on.', tools: [toolset] });
    const runner = new InMemoryRunner({ agent, appName: 'clients' });
    const session = await runner.sessionService.createSession({ appName: 'clients', userId: 'user' });
    const newMessage = { role: 'user', parts: [{ text: 'Go on.' }] };
    for await (const event of runner.runAsync({ userId: 'user', sessionId: session.id, newMessage }))
      if (event.errorMessage) throw new Error(event.errorMessage);
    return { listed: listed.map(({ name }) => name) };
  } finally {
    await toolset.close();
  }
}
