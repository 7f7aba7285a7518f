/** Starts a server as its users would, and asks what it has. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/**
 * In mock mode: initialize, list, and call a tool that needs no argument.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string[]>} complaints
 */
export async function tryServer(command, args, cwd) {
  const client = new Client({ name: 'mcpgen-publish', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, MCP_MOCK: '1' };
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' });
  const said = [];
  transport.stderr?.on('data', (chunk) => said.push(chunk));
  try {
    await client.connect(transport);
    return await callOne(client);
  } catch (error) {
    return [`${command} ${args.join(' ')}: ${String(error)}\n${Buffer.concat(said).toString('utf8')}`];
  } finally {
    await client.close();
  }
}

async function callOne(client) {
  const { tools } = await client.listTools();
  const free = tools.find(({ inputSchema }) => (inputSchema.required ?? []).length === 0);
  if (free === undefined) return ['no tool can be called without arguments'];
  const { isError, content } = await client.callTool({ name: free.name, arguments: {} });
  return isError === true ? [`${free.name}: ${JSON.stringify(content)}`] : [];
}
