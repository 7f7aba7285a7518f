import type { Command } from 'commander';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { ExplainedDiagnostic } from '../../diagnostics/find-definition.ts';
import type { Paint } from '../../diagnostics/render/paint.ts';
import { noPlaces } from '../../diagnostics/render/place.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-code.ts';
import type { ReportFlags } from '../flags.ts';
import type { Host } from '../host.ts';
import { addHelpOption, addReportOptions } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';
import { wrap } from '../wrap.ts';

const EXAMPLES = `Examples:
  mcpgen explain MCPG101
  mcpgen explain source-not-found
  mcpgen explain              list every diagnostic
`;

/** Longer names push their line out of the grid. */
const NAME_WIDTH = 28;
const SUMMARY_WIDTH = 90;

export function addExplain(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('explain')
    .summary('what a diagnostic means and how to fix it')
    .description('Explains a diagnostic: when it is issued, why it matters, how to fix it.')
    .argument('[code]', 'code (MCPG101) or name (source-not-found); without it, all are listed')
    .addHelpText('before', EXAMPLES);
  addReportOptions(command);
  addHelpOption(command);
  command.action(async (query: string | undefined, flags: ReportFlags) => {
    finish(await explain(query, host), flags);
  });
}

async function explain(query: string | undefined, { stdout }: Host): Promise<Outcome> {
  const { findDefinition, listDefinitions } = await import('../../diagnostics/find-definition.ts');
  if (query === undefined) {
    const all = listDefinitions();
    return success(all, all.map((entry) => listLine(entry, stdout.paint)).join(''));
  }
  const entry = findDefinition(query);
  if (entry !== undefined) return success(entry, page(entry, stdout.paint));
  const { nearDefinitions } = await import('../near-definitions.ts');
  const diagnostics = new DiagnosticCollector();
  diagnostics.report('unknown-diagnostic', { query, suggestion: nearDefinitions(query).join(', ') });
  return outcomeWithoutSource(diagnostics);
}

function success(result: unknown, text: string): Outcome {
  return { exitCode: EXIT.fine, diagnostics: [], places: noPlaces, result, text };
}

/** Code, severity, name, and when it is issued, on one line. */
function listLine({ code, severity, name, docs }: ExplainedDiagnostic, paint: Paint): string {
  const left = `${severity.padEnd('warning'.length)}  ${name.padEnd(NAME_WIDTH)}`;
  return `${paint('dim', code)}  ${left}  ${summary(docs.cause)}\n`;
}

/** The first sentence, cut between words where it is long. */
function summary(text: string): string {
  const [sentence = text] = /^.*?[.;](?=\s|$)/s.exec(text) ?? [];
  const words = sentence.replace(/\s+/g, ' ').replace(/[.;]$/, '');
  if (words.length <= SUMMARY_WIDTH) return words;
  return `${words.slice(0, SUMMARY_WIDTH).replace(/[\s,]+\S*$/, '')} …`;
}

function page({ code, name, severity, message, hint, docs }: ExplainedDiagnostic, paint: Paint): string {
  const section = (title: string, words: string): string => `${paint('bold', title)}\n${wrap(words, '  ')}\n`;
  return [
    `${paint('bold', `${code} ${name}`)} (${severity})\n`,
    section('It says', message),
    section('Why', docs.cause),
    section('What to do', docs.fix),
    ...(hint === undefined ? [] : [section('In short', hint)]),
    ...(docs.example === undefined ? [] : [`${paint('bold', 'Example')}\n${indent(docs.example)}\n`]),
  ].join('\n');
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
