/** Commander's options, from the table of options. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandName, OptionGroup, OptionRow } from '../config/options/option-row.ts';
import { rows } from '../config/options/rows.ts';

const HEADINGS: Record<OptionGroup, string> = {
  project: 'Output:',
  run: 'Output:',
  input: 'Server:',
  source: 'Server:',
  document: 'Server:',
  server: 'Server:',
  consent: 'Permissions:',
  command: 'Output:',
  report: 'Messages:',
};

/** Sections of help, in this order. */
const ORDER = [
  'Comparison:',
  'Output:',
  'Server:',
  'Input:',
  'Permissions:',
  'Selection:',
  'Watching:',
  'Messages:',
];

/** An option whose value has the name that it has in the table. */
class TableOption extends Option {
  readonly #name: string;

  constructor(name: string, row: OptionRow, flag: string) {
    super(flag, describe(row));
    this.#name = name;
    // `--no-code` is a switch like others, and not `--code` turned off.
    this.negate = false;
    this.conflicts([...(row.conflicts ?? [])]);
    if (row.type !== 'boolean')
      this.argParser((argument: string, previous: unknown) => readArgument(row, argument, previous));
  }

  override attributeName(): string {
    return this.#name;
  }
}

/** Adds all options of a command, and the one for help. */
export function addOptions(command: Command, name: CommandName): Command {
  const found = rows()
    .filter(([, { commands }]) => commands?.includes(name))
    .map(([key, row]) => ({ key, row, heading: row.heading ?? HEADINGS[row.of] }))
    .sort((one, other) => ORDER.indexOf(one.heading) - ORDER.indexOf(other.heading));
  for (const { key, row, heading } of found)
    command.optionsGroup(heading).addOption(new TableOption(key, row, row.flag ?? ''));
  return addHelpOption(command);
}

/** A group of its own, below the rest. */
export function addHelpOption(command: Command): Command {
  return command.optionsGroup('Help:').helpOption('-h, --help', 'show this help');
}

function describe(row: OptionRow): string {
  const value = row.default === undefined ? '' : ` (default: ${row.default})`;
  return `${row.help}${isList(row) ? ' (repeatable)' : ''}${value}`;
}

function isList({ type }: OptionRow): boolean {
  return type.endsWith('[]') && !type.includes('|');
}

/** Commander hands over one argument at a time. */
function readArgument(row: OptionRow, argument: string, previous: unknown): unknown {
  const { argument: check = row.check, isSplit = false } = row;
  const values = isSplit ? argument.split(',').map((each) => each.trim()) : [argument];
  const value = isList(row) ? values : row.type === 'number' ? numberIn(argument) : argument;
  const [fault] = check(value, []);
  if (fault !== undefined) throw new InvalidArgumentError(sentence(fault.clause ?? `it ${fault.problem}`));
  return isList(row) ? [...(Array.isArray(previous) ? previous : []), ...values] : value;
}

function numberIn(argument: string): number {
  return /^\d+$/.test(argument) ? Number(argument) : Number.NaN;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
