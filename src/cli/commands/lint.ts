import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { addCommandOptions } from '../options.ts';

const EXAMPLES = `Examples:
  mcpgen lint petstore.yaml
  mcpgen lint petstore-mcp --client claude,cursor --fail-on warning
  mcpgen lint petstore.yaml --fix           writes mcpgen.overlay.yaml
  mcpgen lint petstore.yaml --format github
`;

export function addLint(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('lint')
    .summary('judge what the source tells a model: words, arguments, siblings, clients')
    .description(
      'Judges the names, descriptions and schemas that a model reads, and scores each tool and the server. Writes nothing without --fix.',
    )
    .argument(
      '<source>',
      'file, http(s) URL, - for standard input, folder of a project, or file or glob of annotated functions',
    )
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'lint');
  command.action(async (source: string, flags: Flags) => {
    const { lintSource } = await import('../lint-source.ts');
    finish(await lintSource(source, flags, host), flags);
  });
}
