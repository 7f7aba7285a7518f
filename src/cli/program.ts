/** The commands and their help. Only definitions: the code of a command loads when it runs. */
import type { ReportOptions } from '../config/options/option-types.ts';
import { Command } from 'commander';
import { onFileRun } from '../diagnostics/running-code.ts';
import { version } from '../util/version.ts';
import type { CommandContext } from './outcome.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addGenerate } from './commands/generate.ts';
import { addHelp } from './commands/help.ts';
import { addInit } from './commands/init.ts';
import { addInstall, addUninstall } from './commands/install.ts';
import { addInspect } from './commands/inspect.ts';
import { addLint } from './commands/lint.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addOverlay } from './commands/overlay.ts';
import { addPreview } from './commands/preview.ts';
import { addPublish } from './commands/publish.ts';
import { addServe } from './commands/serve.ts';
import { addSkills } from './commands/skills.ts';
import { addTemplates } from './commands/templates.ts';
import { addTs } from './commands/ts.ts';
import type { Host } from './host.ts';
import { formatRunFile, printablePath } from './words.ts';

const EXAMPLES = `Examples:
  mcpgen openapi petstore.yaml              writes ./petstore-mcp, ready to run
  mcpgen ts src/tools.ts                    writes a project from annotated functions
  mcpgen inspect petstore.yaml              shows its tools, writes nothing
  mcpgen serve petstore.yaml                runs the server, writes nothing
  mcpgen explain MCPG101                    explains a diagnostic
`;

const EXIT_CODES = `0   success
  1   errors found, output stale, or changes or findings matched by --fail-on
  2   wrong usage or configuration
  70  a bug in mcpgen
  130 stopped by Ctrl-C; nothing was changed`;

const PREVIEW_EXIT_CODES = `0   the page ended, by Ctrl-C
  1   the page failed
  2   wrong usage, or the port is taken
  70  a bug in mcpgen`;

/** A running server decides the exit code, and Ctrl-C is the usual way to end it. */
const SERVE_EXIT_CODES = `0   the server ended, including by Ctrl-C
  1   errors found, or the server failed
  2   wrong usage or configuration, or invalid environment or src/handlers/
  70  a bug in mcpgen
  130 stopped by Ctrl-C before the server started`;

const OWN_EXIT_CODES = new Map([
  ['serve', SERVE_EXIT_CODES],
  ['preview', PREVIEW_EXIT_CODES],
]);

function helpEnding({ command }: { command: Command }): string {
  return `
Exit codes:
  ${OWN_EXIT_CODES.get(command.name()) ?? EXIT_CODES}

${describeCodeThatRuns(command)}Results go to stdout, messages to stderr. NO_COLOR and FORCE_COLOR are honoured;
MCPGEN_FORMAT=pretty|github|agent chooses how diagnostics are printed.`;
}

const RUNS_CODE = [
  'mcpgen',
  'check',
  'diff',
  'doctor',
  'generate',
  'inspect',
  'lint',
  'openapi',
  'overlay',
  'preview',
  'publish',
  'serve',
  'skills',
  'templates',
  'ts',
];

/** Says in the help which code a command runs. Subcommands count as their parent. */
function describeCodeThatRuns(command: Command): string {
  const { parent } = command;
  const outer = parent !== null && parent.parent !== null ? parent : command;
  if (!RUNS_CODE.includes(outer.name())) return '';
  return `Code of the repository:
  check, diff, doctor, generate, inspect, lint, overlay init, preview, publish init, skills init and
  serve run configurations in TypeScript or JavaScript, and the hooks and helpers that a configuration
  names, and openapi, ts and templates eject do where one owns their project; serve and preview also run
  functions, and serve and doctor run dist/main.js. --verbose names the files. --no-code, or
  MCPGEN_NO_CODE=1, runs none.

`;
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

export function buildProgram(context: CommandContext): Command {
  const { host, tell } = context;
  const program = new Command('mcpgen')
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
    .addHelpText('before', EXAMPLES)
    .addHelpText('afterAll', helpEnding);
  program.hook('preAction', async (_, action) => {
    await host.guard?.();
    printFilesBeforeTheyRun(action.opts<ReportOptions>(), host);
  });
  addOpenapi(program, context);
  addTs(program, context);
  addGenerate(program, context);
  addCheck(program, context);
  addDiff(program, context);
  addInspect(program, context);
  addLint(program, context);
  addServe(program, context);
  addPreview(program, context);
  addInit(program, context);
  addInstall(program, context);
  addUninstall(program, context);
  addDoctor(program, context);
  addPublish(program, context);
  addOverlay(program, context);
  addSkills(program, context);
  addTemplates(program, context);
  addExplain(program, context);
  addCompletion(program, context);
  addHelp(program, context);
  return program;
}
