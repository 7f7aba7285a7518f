/** Commander's options, from the table of options. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandName, OptionGroup, OptionRow } from '../config/options/option-row.ts';
import { listRows } from '../config/options/rows.ts';

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

const ORDER = [
  'Comparison:',
  'Client:',
  'Checks:',
  'Output:',
  'Server:',
  'Input:',
  'Permissions:',
  'Selection:',
  'Watching:',
  'Messages:',
];

/** An option of Commander that stores its value under the name in the option table, not under its flag. */
class TableOption extends Option {
  readonly #name: string;

  constructor(name: string, row: OptionRow, flag: string, command: CommandName) {
    super(flag, describeOptionRow(row, command));
    this.#name = name;
    // Commander would read `--no-code` as `--code` turned off.
    this.negate = false;
    this.conflicts([...(row.conflicts ?? [])]);
    if (row.type !== 'boolean')
      this.argParser((argument: string, previous: unknown) => parseFlagArgument(row, argument, previous));
  }

  override attributeName(): string {
    return this.#name;
  }
}

export function addCommandOptions(command: Command, name: CommandName): Command {
  const rows = listRows()
    .filter(([, { commands }]) => commands?.includes(name))
    .map(([key, row]) => ({ key, row, heading: row.heading ?? HEADINGS[row.of] }))
    .sort((one, other) => ORDER.indexOf(one.heading) - ORDER.indexOf(other.heading));
  for (const { key, row, heading } of rows)
    command.optionsGroup(heading).addOption(new TableOption(key, row, row.flag ?? '', name));
  return addHelpOption(command);
}

export function addHelpOption(command: Command): Command {
  return command.optionsGroup('Help:').helpOption('-h, --help', 'show this help');
}

/** `; of install and uninstall: …` in the row is the whole text for these commands. */
function describeOptionRow(row: OptionRow, command: CommandName): string {
  const [help = '', ...others] = row.help.split('; of ');
  const other = others
    .map((text) => text.split(': ', 2))
    .find(([names]) => names?.split(' and ').includes(command));
  if (other !== undefined) return other[1] ?? '';
  const value = row.default === undefined ? '' : ` (default: ${row.default})`;
  return `${help}${isList(row) ? ' (repeatable)' : ''}${value}`;
}

function isList({ type }: OptionRow): boolean {
  return type.endsWith('[]') && !type.includes('|');
}

/** Commander calls this once for each argument, with the value that earlier arguments gave. */
function parseFlagArgument(row: OptionRow, argument: string, previous: unknown): unknown {
  const { argument: check = row.check, isSplit = false } = row;
  const values = isSplit ? argument.split(',').map((part) => part.trim()) : [argument];
  const number = /^\d+$/.test(argument) ? Number(argument) : Number.NaN;
  const value = isList(row) ? values : row.type === 'number' ? number : argument;
  const [fault] = check(value, []);
  if (fault !== undefined) {
    const problem = fault.clause ?? `it ${fault.problem}`;
    throw new InvalidArgumentError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
  }
  return isList(row) ? [...(Array.isArray(previous) ? previous : []), ...values] : value;
}
