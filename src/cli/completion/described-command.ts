/** The commands of the program as shells complete them: read from commander's tree and the table of options. */
import type { Argument, Command, Option } from 'commander';
import { listRows } from '../../config/options/rows.ts';

/** The values that an option takes. `text` is anything, so nothing is suggested. */
export type Values = 'text' | 'file' | 'folder' | readonly string[];

export interface DescribedOption {
  /** `-o`, `--output` */
  names: string[];
  help: string;
  /** The values that the option takes. Absent: it takes none. */
  values?: Values;
}

export interface DescribedCommand {
  /** `publish init`; empty for the program. */
  path: string;
  commands: { name: string; summary: string }[];
  options: DescribedOption[];
  arguments: Values[];
  /** Whether the last argument may be repeated. */
  isVariadic: boolean;
}

/** Lists the program first, and each command before its own commands. */
export function describeCommands(command: Command, path = ''): DescribedCommand[] {
  const children = command.commands.map((each) => ({ each, name: each.name() }));
  return [
    {
      path,
      commands: children.map(({ each, name }) => ({ name, summary: each.summary() })),
      options: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => describeOption(option)),
      arguments: command.registeredArguments.map((argument) => valuesOfArgument(argument, command)),
      isVariadic: command.registeredArguments.at(-1)?.variadic === true,
    },
    ...children.flatMap(({ each, name }) => describeCommands(each, `${path} ${name}`.trim())),
  ];
}

function describeOption(option: Option): DescribedOption {
  const names = [option.short, option.long].flatMap((name) => name ?? []);
  const { description: help } = option;
  if (!option.required && !option.optional) return { names, help };
  const row = new Map(listRows()).get(option.attributeName());
  const choices = (row?.argument ?? row?.check)?.choices;
  return { names, help, values: choices ?? chooseValueKind(/<(\w+)/.exec(option.flags)?.[1] ?? '') };
}

function valuesOfArgument(argument: Argument, { parent }: Command): Values {
  const name = argument.name();
  if (name === 'command') return parent?.commands.map((each) => each.name()) ?? 'text';
  return argument.argChoices ?? chooseValueKind(name);
}

function chooseValueKind(name: string): Values {
  if (['dir', 'folder'].includes(name)) return 'folder';
  return ['file', 'files', 'source', 'old', 'new'].includes(name) ? 'file' : 'text';
}

/** Groups the options that take values by what these are. */
export function groupOptionsByValues(
  options: readonly DescribedOption[],
): { names: string[]; values: Values }[] {
  const groups = new Map<string, { names: string[]; values: Values }>();
  for (const { names, values } of options) {
    if (values === undefined) continue;
    const key = String(values);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: [...names], values });
    else group.names.push(...names);
  }
  return [...groups.values()];
}
