/** Prints why a run failed. Loaded when one fails, and before the code of a command runs. */
import { extname, posix } from 'node:path';
import { CommanderError } from 'commander';

import { CONFIGURED } from '../config/options/option-row.ts';
import type { ReportOptions } from '../config/options/option-types.ts';
import { CONFIGURED_GROUPS, listRows } from '../config/options/rows.ts';
import { DiagnosticCollector, DiagnosticError } from '../diagnostics/collector.ts';
import { noPlaces } from '../diagnostics/render/place.ts';
import { renderJson } from '../diagnostics/render/terminal-text.ts';
import { describeBug, renderBug } from './bug.ts';
import type { Host } from './host.ts';
import { EXIT, exitCodeFor, outcomeWithoutSource } from './outcome.ts';
import { hasJsonFlag, writeOutcome } from './present.ts';
import { isCodeFile } from './source-kind.ts';

/** Prints why a run ended, including bugs of mcpgen. Returns the exit code. */
export function reportFailure(error: unknown, host: Host): number {
  const flags: ReportOptions = { json: hasJsonFlag(host.args), quiet: false };
  if (host.signal.aborted) return reportInterrupt(flags, host);
  if (error instanceof CommanderError) return reportCommanderError(error, flags, host);
  if (error instanceof DiagnosticError) {
    const { diagnostics } = error;
    const exitCode = exitCodeFor(diagnostics);
    writeOutcome({ exitCode, diagnostics, places: noPlaces, result: null }, flags, host);
    return exitCode;
  }
  return reportBug(error, flags, host);
}

function reportInterrupt({ json = false }: ReportOptions, host: Host): number {
  host.stderr.write('Stopped. Nothing was changed.\n');
  if (json)
    host.stdout.write(renderJson({ ok: false, exitCode: EXIT.interrupted, diagnostics: [], result: null }));
  return EXIT.interrupted;
}

function reportCommanderError(error: CommanderError, flags: ReportOptions, host: Host): number {
  // `mcpgen` without arguments: commander has printed the help.
  if (error.code === 'commander.help') return EXIT.usage;
  const diagnostics = new DiagnosticCollector();
  reportUsageProblem(error, host.args, diagnostics);
  writeOutcome(outcomeWithoutSource(diagnostics), flags, host);
  return EXIT.usage;
}

function reportBug(error: unknown, { json = false }: ReportOptions, host: Host): number {
  const report = describeBug(error, host.args[0] ?? '');
  host.stderr.write(renderBug(report));
  if (json)
    host.stdout.write(
      renderJson({ ok: false, exitCode: EXIT.bug, diagnostics: [], result: null, bug: report }),
    );
  return EXIT.bug;
}

/** `option '--max-name-length <n>' argument 'many' is invalid. It must be …` */
const INVALID = /^(?:option|command-argument) '([^']+)' argument '([^]*?)' is invalid\. ([^]*)$/;

/** `command-argument value 'toml' is invalid for argument 'target'. Allowed choices are …` */
const NO_CHOICE = /^command-argument value '([^]*?)' is invalid for argument '([^']+)'\. ([^]*)$/;

function reportUsageProblem(
  { message }: CommanderError,
  args: readonly string[],
  diagnostics: DiagnosticCollector,
): void {
  const text = message.replace(/^error: /, '');
  const [, option = '', value = '', expected = ''] = INVALID.exec(text) ?? [];
  if (option !== '') {
    diagnostics.report('invalid-option', { option: option.replace(/^-\w, | [<[].*$/g, ''), value, expected });
    return;
  }
  const [, unfit = '', argument = '', choices = ''] = NO_CHOICE.exec(text) ?? [];
  if (argument !== '') {
    diagnostics.report('invalid-option', { option: `<${argument}>`, value: unfit, expected: choices });
    return;
  }
  const [problem = '', ...rest] = text.split('\n');
  const near = rest.find((line) => line.startsWith('(Did you mean'))?.slice(1, -1);
  diagnostics.report('invalid-usage', {
    problem: problem.replace(/\.$/, ''),
    suggestion: near === undefined ? suggestFix(problem, args) : ` ${near}`,
    command: nameHelpCommand(text, args),
  });
}

const repeatables = new Set(['--include', '--exclude']);

function suggestFix(problem: string, args: readonly string[]): string {
  const [first = ''] = args;
  if (problem.startsWith('unknown command') && /[./]/.test(first))
    return ` Did you mean \`mcpgen openapi ${first}\`?`;
  if (problem.startsWith('missing required argument') && args.includes('--allow-remote-refs'))
    return ' `--allow-remote-refs` takes all words that follow it, so put the source first.';
  const [, unknown] = /^unknown option '(--[\w-]+)/.exec(problem) ?? [];
  const [member] =
    listRows(...CONFIGURED_GROUPS).find(([, { flag }]) => flag?.split(' ')[0] === unknown) ?? [];
  if (unknown !== undefined && member !== undefined && CONFIGURED.some((command) => command === first))
    return ` Set \`${member}\` in the configuration instead.`;
  const repeatable = args.find((arg) => repeatables.has(arg));
  if (problem.startsWith('too many arguments') && repeatable !== undefined)
    return ` For several values, repeat the option: \`${repeatable} a ${repeatable} b\`.`;
  const code = args.slice(1).find(isCodeFile);
  if (problem.startsWith('too many arguments') && code !== undefined)
    return ` Quote a glob, so that the shell does not expand it: \`mcpgen ${first} "${posix.dirname(code)}/*${extname(code)}"\`.`;
  return '';
}

/** Finds the command whose help the message points to. */
function nameHelpCommand(message: string, args: readonly string[]): string {
  const depth = /^(?:publish|templates|overlay|skills)$/.test(args[0] ?? '') ? 2 : 1;
  const commandNames = args.slice(0, depth).filter((word) => /^[a-z]+$/.test(word));
  return ['mcpgen', ...(message.startsWith('unknown command') ? [] : commandNames)].join(' ');
}
