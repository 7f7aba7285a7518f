// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The text of `--help`. */
import type { Bindings } from '../contract/bindings.ts';
import type { EnvironmentVariable } from '../contract/environment-variable.ts';
import type { ServerDefinition } from '../definition.ts';
import { flagsFor } from './flags.ts';
import { readFeatures } from './present-features.ts';
import { readGenerated } from './process-context.ts';
import { variablesFor } from './server-variables.ts';

const WIDTH = 100;

/** Every variable that the server reads, those of its APIs first. */
export async function listVariables(server: ServerDefinition): Promise<EnvironmentVariable[]> {
  const bindings: Bindings = JSON.parse(readGenerated(server.generated, 'bindings.json'));
  const api = await server.features?.apiSettings?.();
  return [...(api?.apiVariables(bindings) ?? []), ...variablesFor(readFeatures(server))];
}

export async function helpText(server: ServerDefinition): Promise<string> {
  const { name, title, version } = server.info;
  const features = readFeatures(server);
  const flags = Object.entries(flagsFor(features)).map(([flag, { value, help, repeatable }]): Row => [
    `--${flag}${value === undefined ? '' : ` <${value}>`}`,
    `${help}${repeatable === true ? ' (repeatable)' : ''}`,
  ]);
  const variables = (await listVariables(server)).map((one): Row => [
    one.name,
    `${one.description}${one.default === undefined ? '' : ` Default: ${one.default}`}`,
  ]);
  return `${title ?? name} ${version}, an MCP server

Examples:
  ${name}                                 speak MCP on stdin and stdout: what clients start
${features.present.has('http') ? `  ${name} --transport http --port 8080    serve http://127.0.0.1:8080/mcp\n` : ''}  ${name} --include 'op:get*'             only the tools whose names begin with get

Usage: ${name} [options]

Options:
${table(flags)}

Environment, also read from .env beside package.json or the file of --dotenv (the environment wins):
${table(variables)}

Exit codes: 0 fine, 1 the server failed, 2 the command line, the environment or src/handlers/ can't be used.`;
}

type Row = [left: string, right: string];

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const gap = `\n${' '.repeat(width + 4)}`;
  return rows
    .map(([left, right]) => `  ${left.padEnd(width)}  ${wrap(right, WIDTH - width).join(gap)}`)
    .join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
