import { type DescribedCommand, type Values, groupOptionsByValues } from './described-command.ts';

/** Reads the words before the cursor itself, so that bash-completion need not be installed. */
export function printBash(commands: readonly DescribedCommand[]): string {
  return `# bash completion for mcpgen. Load it with: source <(mcpgen completion bash)
_mcpgen() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" last="\${COMP_WORDS[COMP_CWORD-1]}" path='' count=0 i word values=
  # Bash makes a word of the = in --option=value.
  if [[ $cur == = ]]; then cur=
  elif [[ $last == = ]]; then last="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == = ]]; then ((i++)); continue; fi
    if [[ $word == -* ]]; then
      _mcpgen_values "$path" "$word" && [[ \${COMP_WORDS[i+1]} != = ]] && ((i++))
      continue
    fi
    case "$path $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ${quoteForBash(` ${path}`)}) path=${quoteForBash(` ${path}`)} ;;\n`)
  .join('')}      *) ((count++)) ;;
    esac
  done
  if _mcpgen_values "$path" "$last"; then
    _mcpgen_suggest
    return
  fi
  case "$path" in
${commands.map(printCommand).join('')}  esac
  _mcpgen_suggest
}

_mcpgen_suggest() {
  local IFS=$' \\n'
  case "$values" in
    :file) IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    :folder) IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    :text) COMPREPLY=() ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$cur")) ;;
  esac
}

# Whether an option takes a value; sets what the value may be.
_mcpgen_values() {
  case "$1 $2" in
${commands.map(printOptionCases).join('')}    *) return 1 ;;
  esac
}

complete -F _mcpgen mcpgen
`;
}

function printCommand({ path, commands, options, arguments: all, isVariadic }: DescribedCommand): string {
  const flags = options.flatMap(({ names }) => names).join(' ');
  const rest = commands.length > 0 ? [commands.map(({ name }) => name)] : all;
  const cases = rest.map((values, index) => {
    const isRest = isVariadic && index === rest.length - 1;
    return `        ${isRest ? '*' : String(index)}) values=${quoteForBash(formatBashValues(values))} ;;\n`;
  });
  return `    ${quoteForBash(path === '' ? '' : ` ${path}`)})
      if [[ $cur == -* ]]; then values=${quoteForBash(flags)}
      else case $count in
${cases.join('')}${isVariadic ? '' : '        *) values=:text ;;\n'}      esac; fi ;;
`;
}

function printOptionCases({ path, options }: DescribedCommand): string {
  const start = path === '' ? '' : ` ${path}`;
  return groupOptionsByValues(options)
    .map(({ names, values }) => {
      const patterns = names.map((name) => quoteForBash(`${start} ${name}`)).join('|');
      return `    ${patterns}) values=${quoteForBash(formatBashValues(values))} ;;\n`;
    })
    .join('');
}

function formatBashValues(values: Values): string {
  return typeof values === 'string' ? `:${values}` : values.join(' ');
}

function quoteForBash(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
