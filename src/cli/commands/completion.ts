import { Argument, type Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { SCRIPTS, SHELLS, type Shell, suggestWords } from '../complete-words.ts';
import { addHelpOption } from '../options.ts';

const EXAMPLES = `Examples:
  source <(mcpgen completion bash)
  source <(mcpgen completion zsh)
  mcpgen completion fish | source
  mcpgen completion powershell | Out-String | Invoke-Expression
`;

export function addCompletion(program: Command, { host }: CommandContext): void {
  const command = program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script that completes commands, options, their values and files. Load it from the start file of your shell, such as ~/.bashrc.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .argument('[words...]', 'a command line without mcpgen: prints what its last word may be')
    .addHelpText('before', EXAMPLES);
  addHelpOption(command);
  command.action((shell: Shell, typedWords: string[]) => {
    host.stdout.write(
      typedWords.length === 0 ? SCRIPTS[shell] : `${suggestWords(program, typedWords).join('\n')}\n`,
    );
  });
}
