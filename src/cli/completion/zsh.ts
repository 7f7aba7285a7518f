import type { DescribedCommand, DescribedOption, Values } from './described-command.ts';

export function printZsh(commands: readonly DescribedCommand[]): string {
  return `#compdef mcpgen
# zsh completion for mcpgen. Load it with: source <(mcpgen completion zsh)
${commands.map(printCommand).join('\n')}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
if [[ $funcstack[1] == _mcpgen ]]; then _mcpgen "$@"; else compdef _mcpgen mcpgen; fi
`;
}

function printCommand({ path, commands, options, arguments: all, isVariadic }: DescribedCommand): string {
  const name = functionName(path);
  const flags = options.map(printOption);
  if (commands.length === 0) {
    const values = all.map((each, index) =>
      quoteForZsh(
        `${isVariadic && index === all.length - 1 ? '*' : String(index + 1)}:argument:${printZshValues(each)}`,
      ),
    );
    return `${name}() {\n  _arguments -s ${['-S', ...flags, ...values].join(' \\\n    ')}\n}\n`;
  }
  const described = commands.map((each) => quoteForZsh(`${each.name}:${each.summary}`));
  const cases = commands.map((each) => `        ${each.name}) ${functionName(`${path} ${each.name}`)} ;;\n`);
  return `${name}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${[...flags, quoteForZsh('1: :->command'), quoteForZsh('*:: :->argument')].join(' \\\n    ')}
  case $state in
    command)
      local -a commands=(
        ${described.join('\n        ')}
      )
      _describe command commands ;;
    argument)
      case $line[1] in
${cases.join('')}      esac ;;
  esac
}
`;
}

function functionName(path: string): string {
  return `_mcpgen${path === '' ? '' : `_${path.trim().replaceAll(' ', '_')}`}`;
}

/** Prints an option as repeatable, since many are: \`*--include[only these]:value:\`. */
function printOption({ names, help, values }: DescribedOption): string {
  const words = `[${help.replace(/[[\]\\:]/g, String.raw`\$&`)}]`;
  const value = values === undefined ? '' : `:value:${printZshValues(values)}`;
  const each = names.map((name) =>
    quoteForZsh(`*${name}${values !== undefined && name.startsWith('--') ? '=' : ''}${words}${value}`),
  );
  return each.join(' ');
}

function printZshValues(values: Values): string {
  if (values === 'file') return '_files';
  if (values === 'folder') return '_files -/';
  return values === 'text' ? ' ' : `(${values.join(' ')})`;
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
