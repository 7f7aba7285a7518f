/** Google's GenAI SDK: `mcpToTool` takes a client of the official SDK 1.x. */
import { GoogleGenAI, mcpToTool } from '@google/genai';

import { connect } from './official-1.mjs';

export async function drive(task) {
  const client = await connect(task);
  try {
    const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: task.model } });
    await ai.models.generateContent({
      model: 'fake',
      contents: 'Go on.',
      config: { tools: [mcpToTool(client)], automaticFunctionCalling: { maximumRemoteCalls: 8 } },
    });
    return {};
  } finally {
    await client.close();
  }
}
