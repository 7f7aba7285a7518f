import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { ExplainedDiagnostic } from '../../diagnostics/find-definition.ts';
import type { Paint } from '../../diagnostics/render/terminal-text.ts';
import { type Outcome, outcomeWithoutSource, successOutcome } from '../outcome.ts';
import type { Host } from '../host.ts';
import { wrapText } from '../words.ts';

export async function runExplain(query: string | undefined, { stdout }: Host): Promise<Outcome> {
  const { findDefinition, listDefinitions, reportUnknownDiagnostic } =
    await import('../../diagnostics/find-definition.ts');
  if (query === undefined) {
    const all = listDefinitions();
    return successOutcome(all, renderDefinitions(all, stdout.paint));
  }
  const entry = findDefinition(query);
  if (entry !== undefined) return successOutcome(entry, renderDiagnosticPage(entry, stdout.paint));
  const diagnostics = new DiagnosticCollector();
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
