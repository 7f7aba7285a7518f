import {
  type DescribedCommand,
  type DescribedOption,
  type Values,
  groupOptionsByValues,
} from './described-command.ts';

export function printFish(commands: readonly DescribedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoteForFish(path));
  return `# fish completion for mcpgen. Load it with: mcpgen completion fish | source
# Whether the words before the cursor are this command, with so many arguments behind it.
function __mcpgen_at
  set -l path
  set -l count 0
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if string match -q -- '-*' $word
      __mcpgen_takes_value "$path" $word; and set skip 1
    else if contains -- (string join ' ' $path $word) ${paths.join(' ')}
      set -a path $word
    else
      set count (math $count + 1)
    end
  end
  test "$path" = "$argv[1]"; and contains -- $count $argv[2..-1]
  or test "$path" = "$argv[1]" -a "$argv[2]" = any
end

function __mcpgen_takes_value
  switch "$argv[1] $argv[2]"
${commands.map(printValueOptionsCase).join('')}    case '*'
      return 1
  end
end

complete -c mcpgen -f
${commands.map(printCommand).join('')}`;
}

function printValueOptionsCase({ path, options }: DescribedCommand): string {
  const names = groupOptionsByValues(options).flatMap((group) => group.names);
  return names.length === 0
    ? ''
    : `    case ${names.map((name) => quoteForFish(`${path} ${name}`)).join(' ')}\n`;
}

function printCommand({ path, commands, options, arguments: all, isVariadic }: DescribedCommand): string {
  const printCondition = (count: string): string =>
    `complete -c mcpgen -n ${quoteForFish(`__mcpgen_at ${quoteForFish(path)} ${count}`)}`;
  const lines = [
    ...commands.map(
      ({ name, summary }) => `${printCondition('0')} -a ${quoteForFish(name)} -d ${quoteForFish(summary)}`,
    ),
    ...options.map((option) => `${printCondition('any')} ${printOption(option)}`),
    ...all.flatMap((values, index) => {
      const isRest = isVariadic && index === all.length - 1;
      const action = printFishValues(values);
      return action === '' ? [] : [`${printCondition(isRest ? 'any' : String(index))} ${action}`];
    }),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function printOption({ names, help, values }: DescribedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  // -x allows no files.
  const taken = values === undefined ? [] : [values === 'file' ? '-r' : '-x', printFishValues(values)];
  return [...flags, ...taken, `-d ${quoteForFish(help)}`].join(' ');
}

function printFishValues(values: Values): string {
  if (values === 'file') return '-F';
  if (values === 'folder') return `-a '(__fish_complete_directories)'`;
  return values === 'text' ? '' : `-a ${quoteForFish(values.join(' '))}`;
}

function quoteForFish(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}
