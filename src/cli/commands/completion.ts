/** Completes the words of a command line in shells, from commander's tree and the table of options. */
import { Argument, type Command, type Option } from 'commander';
import { listRows } from '../../config/options/rows.ts';
import type { Host } from '../host.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: Command, host: Host): Command {
  return program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script that completes commands, options, their values and files. Load it from the start file of your shell, such as ~/.bashrc.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .argument('[words...]', 'a command line without mcpgen: prints what its last word may be')
    .addHelpText(
      'before',
      'Examples:\n  source <(mcpgen completion bash)\n  mcpgen completion fish | source\n',
    )
    .action((shell: Shell, words: string[]) => {
      const suggestions = (): string => `${suggestWords(program, words).join('\n')}\n`;
      host.stdout.write(words.length === 0 ? SCRIPTS[shell] : suggestions());
    });
}

/** Each script asks `mcpgen completion <shell> -- <words>`, and completes files itself. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for mcpgen. Load it with: source <(mcpgen completion bash)
_mcpgen() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]}" values
  # Bash makes a word of the = in --option=value.
  [[ $cur == = ]] && cur=
  values="$(mcpgen completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  case "$values" in
    :file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    :folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$cur")) ;;
  esac
}
complete -F _mcpgen mcpgen
`,
  zsh: `#compdef mcpgen
# zsh completion for mcpgen. Load it with: source <(mcpgen completion zsh)
_mcpgen() {
  local -a values=("\${(@f)$(mcpgen completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case $values[1] in
    :file) _files ;;
    :folder) _files -/ ;;
    *) compadd -a values ;;
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
if [[ $funcstack[1] == _mcpgen ]]; then _mcpgen "$@"; else compdef _mcpgen mcpgen; fi
`,
  fish: `# fish completion for mcpgen. Load it with: mcpgen completion fish | source
function __mcpgen_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  set -l values (mcpgen completion fish -- $words[2..-1] "$word" 2>/dev/null)
  switch "$values[1]"
    case ':file'
      __fish_complete_path $word
    case ':folder'
      __fish_complete_directories $word
    case '*'
      printf '%s\\n' $values
  end
end
complete -c mcpgen -f -a '(__mcpgen_complete)'
`,
  powershell: `# PowerShell completion for mcpgen. Load it with: mcpgen completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mcpgen -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  # Where nothing is returned, PowerShell completes files.
  mcpgen completion powershell -- @words "$wordToComplete" 2>$null |
    Where-Object { $_ -notlike ':*' -and $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`,
};

/** Lists values that the last word may have, whatever it begins with. `:file` and `:folder` let the shell list paths. */
function suggestWords(program: Command, typedWords: readonly string[]): readonly string[] {
  let command = program;
  let place = 0;
  let option: Option | undefined;
  for (const word of typedWords.slice(0, -1)) {
    if (word === '=') continue;
    const child = command.commands.find((subcommand) => subcommand.name() === word);
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) option = findOptionWithValue(command, word);
    else if (child !== undefined) command = child;
    else place += 1;
  }
  if (option !== undefined) return suggestValues(option);
  if (typedWords.at(-1)?.startsWith('-') === true)
    return command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ short, long }) => [short, long].flatMap((flag) => flag ?? []));
  if (command.commands.length > 0) return command.commands.map((subcommand) => subcommand.name());
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[place] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? [] : suggestArguments(argument, command);
}

function findOptionWithValue(command: Command, word: string): Option | undefined {
  return command.options.find(
    ({ short, long, required, optional }) => [short, long].includes(word) && (required || optional),
  );
}

function suggestValues(option: Option): readonly string[] {
  const row = new Map(listRows()).get(option.attributeName());
  return (row?.argument ?? row?.check)?.choices ?? suggestPaths(/<(\w+)/.exec(option.flags)?.[1] ?? '');
}

function suggestArguments(argument: Argument, { parent }: Command): readonly string[] {
  if (argument.name() === 'command') return parent?.commands.map((command) => command.name()) ?? [];
  return argument.argChoices ?? suggestPaths(argument.name());
}

/** `name` is that of a placeholder: `<dir>`. */
function suggestPaths(name: string): readonly string[] {
  if (['dir', 'folder'].includes(name)) return [':folder'];
  return ['file', 'files', 'source', 'more', 'old', 'new'].includes(name) ? [':file'] : [];
}
