import type { ReportOptions } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { ExplainedDiagnostic } from '../../diagnostics/find-definition.ts';
import type { Paint } from '../../diagnostics/render/terminal-text.ts';
import {
  type CommandContext,
  type Outcome,
  outcomeWithoutSource,
  successOutcome,
  loadDiagnosticCollector,
} from '../outcome.ts';
import type { Host } from '../host.ts';
import { addCommandOptions } from '../options.ts';
import { wrapText } from '../words.ts';

const EXAMPLES = `Examples:
  mcpgen explain MCPG101
  mcpgen explain source-not-found
  mcpgen explain              list every diagnostic
`;

export function addExplain(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('explain')
    .summary('explain a diagnostic and its fix')
    .description('Explains a diagnostic: its cause, its effect and its fix.')
    .argument('[code]', 'code (MCPG101) or name (source-not-found); if absent, lists all')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'explain');
  command.action(async (query: string | undefined, flags: ReportOptions) => {
    finish(await runExplain(query, host), flags);
  });
}

async function runExplain(query: string | undefined, { stdout }: Host): Promise<Outcome> {
  const { findDefinition, listDefinitions, reportUnknownDiagnostic } =
    await import('../../diagnostics/find-definition.ts');
  if (query === undefined) {
    const all = listDefinitions();
    return successOutcome(all, renderDefinitions(all, stdout.paint));
  }
  const entry = findDefinition(query);
  if (entry !== undefined) return successOutcome(entry, renderDiagnosticPage(entry, stdout.paint));
  const diagnostics = await loadDiagnosticCollector();
  reportUnknownDiagnostic(query, 'mcpgen explain', diagnostics);
  return outcomeWithoutSource(diagnostics);
}

/** Prints one line per diagnostic: code, severity, name and cause. */
function renderDefinitions(all: readonly ExplainedDiagnostic[], paint: Paint): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ code, severity, name, docs }) => {
    const label = `${severity.padEnd('warning'.length)}  ${name.padEnd(width)}`;
    return `${paint('dim', code)}  ${label}  ${firstSentence(docs.cause)}\n`;
  });
  return `${lines.join('')}\nmcpgen explain <code> for more.\n`;
}

function firstSentence(text: string): string {
  const [sentence = text] = /^.*?[.;](?=\s|$)/s.exec(text) ?? [];
  return sentence.replace(/\s+/g, ' ').replace(/[.;]$/, '');
}

function renderDiagnosticPage(
  { code, name, severity, message, hint, docs }: ExplainedDiagnostic,
  paint: Paint,
): string {
  const renderDocsSection = (title: string, text: string | undefined): string =>
    text === undefined ? '' : `\n${paint('bold', title)}\n${text}\n`;
  return [
    `${paint('bold', `${code} ${name}`)} (${severity})\n`,
    renderDocsSection('It says', wrapText(message, '  ')),
    renderDocsSection('Why', wrapText(docs.cause, '  ')),
    renderDocsSection('What to do', wrapText(docs.fix, '  ')),
    renderDocsSection('Hint', hint && wrapText(hint, '  ')),
    renderDocsSection('Source', docs.source && wrapText(docs.source, '  ')),
    renderDocsSection('Provoked by', docs.example?.replace(/^/gm, '  ')),
  ].join('');
}
