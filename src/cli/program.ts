/** Commander's program, from the tables of commands and options. */
import { Argument, Command } from 'commander';
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { CommandName } from '../config/options/option-row.ts';
import type { Flags, ReportOptions } from '../config/options/option-types.ts';
import { onFileRun } from '../diagnostics/running-code.ts';
import { version } from '../util/version.ts';
import { COMMANDS, type CommandRow, GROUPS } from './commands.ts';
import { addCompletion } from './commands/completion.ts';
import type { Host } from './host.ts';
import { addCommandOptions, addHelpOption } from './options.ts';
import type { CommandContext } from './outcome.ts';
import { formatRunFile, printablePath } from './words.ts';

const EXAMPLES = `Examples:
  mcpgen openapi petstore.yaml              writes ./petstore-mcp, ready to run
  mcpgen ts src/tools.ts                    writes a project from annotated functions
  mcpgen serve petstore.yaml                runs the server, writes nothing
`;

/** The first hour needs no others. */
const FIRST_COMMANDS = ['openapi', 'ts', 'generate', 'preview', 'install', 'doctor'];

const EXIT_CODES = `0   success
  1   errors found, output stale, or changes or findings matched by --fail-on
  2   wrong usage or configuration
  70  a bug in mcpgen
  130 stopped by Ctrl-C; nothing was changed`;

/** A running server decides the exit code, and Ctrl-C is the usual way to end it. */
const EXIT_CODES_OF: Readonly<Record<string, string>> = {
  serve: `0   the server ended, including by Ctrl-C
  1   errors found, or the server failed
  2   wrong usage or configuration, or invalid environment or src/handlers/
  70  a bug in mcpgen
  130 stopped by Ctrl-C before the server started`,
  preview: `0   the page ended, by Ctrl-C
  1   the page failed
  2   wrong usage, or the port is taken
  70  a bug in mcpgen`,
};

const CODE_THAT_RUNS = `Code of the repository:
  check, diff, doctor, generate, inspect, lint, overlay init, preview, publish init, skills init and
  serve run configurations in TypeScript or JavaScript, and the hooks that a configuration names,
  and openapi, ts and templates eject do where one owns their project; serve and preview also run
  functions, and serve and doctor run dist/main.js. --verbose names the files. --no-code, or
  MCPGEN_NO_CODE=1, runs none.

`;

const SERVER_OPTIONS = `
Server options:
  Other options go to the server: --transport stdio|http, --port, --host, --path, --log-level
  and more (see mcpgen serve <source> -- --help). Set credentials and API_BASE_URL in the
  environment, or in a file that --dotenv names. Only projects read their .env by default.`;

function helpEnding({ command }: { command: Command }, showsAll: boolean): string {
  if (command.parent === null && !showsAll) return '\nmore: mcpgen help --all, and mcpgen help <command>';
  return `
Exit codes:
  ${ownMember(EXIT_CODES_OF, command.name()) ?? EXIT_CODES}

${command.parent === null ? CODE_THAT_RUNS : ''}Results go to stdout, messages to stderr. NO_COLOR and FORCE_COLOR are honoured.`;
}

export function buildProgram({ host, finish, tell }: CommandContext): Command {
  const showsAll = host.args[0] === 'help' && host.args.includes('--all');
  const program: Command = new Command('mcpgen')
    .description(
      'Compiles OpenAPI documents and annotated TypeScript functions to standalone MCP servers without runtime dependencies.',
    )
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: tell,
      writeErr: (text) => {
        host.stderr.write(text);
      },
      getOutHasColors: () => host.stdout.isTTY,
      getErrHasColors: () => host.stderr.isTTY,
      outputError: () => undefined,
    })
    .configureHelp({
      visibleCommands: ({ commands }) =>
        commands.filter(
          (child) => showsAll || child.parent !== program || FIRST_COMMANDS.includes(child.name()),
        ),
      subcommandTerm: (child) => `${child.name()} ${child.usage().replace(/\[options\] ?/, '')}`,
    })
    .addHelpText('before', EXAMPLES)
    .addHelpText('afterAll', (context) => helpEnding(context, showsAll));
  program.hook('preAction', async (_, action) => {
    await host.guard?.();
    printFilesBeforeTheyRun(action.opts<ReportOptions>(), host);
  });
  for (const [name, row] of Object.entries(COMMANDS)) {
    const command = addCommand(program, name as CommandName, row);
    command.action(async () => {
      const flags = command.opts<Flags>();
      const args = command.processedArgs.flat().filter((value) => typeof value === 'string');
      finish(await row.run(args, flags, host), flags);
    });
  }
  addHelpOption(addCompletion(program, host));
  program
    .command('help')
    .summary('show the help of a command')
    .argument('[command...]', 'without it, the help of mcpgen')
    .helpOption(false)
    .option('--json', 'one JSON document on stdout')
    .option('--all', 'all commands, exit codes, and which code of the repository runs')
    .action(async (names: string[]) => {
      await program.parseAsync([...names, '--help'], { from: 'user' });
    });
  return program;
}

function addCommand(program: Command, name: CommandName, row: CommandRow): Command {
  const [first = name, second] = name.split(' ');
  const parent = second === undefined ? program : findOrAddGroup(program, first);
  const command = parent
    .command(second ?? first)
    .summary(row.summary)
    .description(row.description)
    .addHelpText('before', formatExamples(row.examples));
  for (const { name: syntax, about, default: value, choices } of row.arguments) {
    const argument = new Argument(syntax, about);
    if (choices !== undefined) argument.choices(choices);
    command.addArgument(value === undefined ? argument : argument.default(value));
  }
  if (name === 'serve')
    command
      .usage('<source...> [options] [server options]')
      .allowUnknownOption()
      .addHelpText('after', SERVER_OPTIONS);
  return addCommandOptions(command, name);
}

function findOrAddGroup(program: Command, name: string): Command {
  const group = program.commands.find((command) => command.name() === name);
  if (group !== undefined) return group;
  const { summary = '', description = '' } = ownMember(GROUPS, name) ?? {};
  const examples = Object.entries(COMMANDS).flatMap(([command, row]) =>
    command.startsWith(`${name} `) ? row.examples : [],
  );
  const added = program
    .command(name)
    .summary(summary)
    .description(description)
    .helpCommand(false)
    .addHelpText('before', formatExamples(examples));
  return addHelpOption(added);
}

function formatExamples(examples: readonly string[]): string {
  return `Examples:\n${examples.map((line) => `  mcpgen ${line}\n`).join('')}`;
}

/** With `--verbose`, prints the name of each file of the repository before it runs. */
function printFilesBeforeTheyRun(
  { verbose = false, quiet = false }: ReportOptions,
  { cwd, stderr }: Host,
): void {
  onFileRun((file) => {
    if (verbose && !quiet) stderr.write(`runs ${printablePath(formatRunFile(file, cwd))}\n`);
  });
}
