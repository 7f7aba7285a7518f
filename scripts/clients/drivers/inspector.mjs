/** The command line of the MCP Inspector: one start for each question. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** An answer may be a long list. */
const maxBuffer = 512 * 1024 * 1024;

export async function drive({ transport, program, url, calls, inspector }) {
  const target = url
    ? ['--transport', transport, '--server-url', url]
    : [...environment(program.env), program.command, ...program.args];
  const ask = async (...question) => {
    const args = [inspector, '--cli', ...target, '--method', ...question];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer });
      return JSON.parse(stdout);
    } catch (error) {
      throw new Error(`${question[0]}: ${error.stderr?.trim() || error.stdout?.trim() || error.message}`);
    }
  };
  const { tools } = await ask('tools/list');
  const results = [];
  for (const { tool, args } of calls)
    results.push(await ask('tools/call', '--tool-name', tool, ...flags(args)));
  return { listed: tools.map(({ name }) => name), results };
}

function environment(env) {
  return Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
}

function flags(args) {
  return Object.entries(args).flatMap(([name, value]) => [
    '--tool-arg',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
}
