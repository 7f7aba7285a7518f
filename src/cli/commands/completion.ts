import { Argument, type Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { addHelpOption } from '../options.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

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
    .addHelpText('before', EXAMPLES);
  addHelpOption(command);
  command.action(async (shell: Shell) => {
    const { describeCommands } = await import('../completion/described-command.ts');
    host.stdout.write((await loadPrinter(shell))(describeCommands(program)));
  });
}

async function loadPrinter(shell: Shell) {
  if (shell === 'bash') return (await import('../completion/bash.ts')).printBash;
  if (shell === 'zsh') return (await import('../completion/zsh.ts')).printZsh;
  if (shell === 'fish') return (await import('../completion/fish.ts')).printFish;
  return (await import('../completion/powershell.ts')).printPowershell;
}
