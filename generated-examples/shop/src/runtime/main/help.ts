import type { Implementation } from '../definition.ts';
import { FLAGS } from './flags.ts';

/** The text of `--help`. */
export function helpText({ name, title, version }: Implementation): string {
  const rows = Object.entries(FLAGS).map(([flag, { value, help, repeatable }]) => [
    `--${flag}${value === undefined ? '' : ` <${value}>`}`,
    `${help}${repeatable === true ? ' (repeatable)' : ''}`,
  ]);
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return `${title ?? name} ${version}, an MCP server

Usage: ${name} [options]

Examples:
  ${name}                                 speak MCP on stdin and stdout
  ${name} --transport http --port 8080    serve http://127.0.0.1:8080/mcp
  ${name} --include 'op:get*'             only the tools whose names begin with get

Options:
${rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`).join('\n')}

Settings are also read from the environment and from .env in the working folder.
Exit codes: 0 fine, 1 the server failed, 2 the command line or the environment can't be used.
`;
}
