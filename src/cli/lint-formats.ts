/** Reports of `lint` for other programs: SARIF 2.1.0, and Markdown for a pull request. */
import type { Diagnostic } from '../diagnostics/collector.ts';
import type { Severity } from '../diagnostics/define.ts';
import { findDefinition } from '../diagnostics/find-definition.ts';
import { quoteAsCodeSpan, escapeMarkdown } from '../diagnostics/quoting.ts';
import type { Places } from '../diagnostics/render/place.ts';
import { type DiagnosticRecord, diagnosticToRecord } from '../diagnostics/render/record.ts';
import { renderJson, escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import { version } from '../util/version.ts';
import type { LintResult } from './json-output.ts';
import { formatListingSize } from './render-lint.ts';
import { formatCount, formatCountWithNoun } from './words.ts';

const LEVELS: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

/** `toPath` is the path of a file in the repository. */
export function renderSarif(
  diagnostics: readonly Diagnostic[],
  places: Places,
  toPath: (file: string) => string,
): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const rules = codes.map((code) => sarifRule(code));
  const results = diagnostics.map((diagnostic) => {
    const record = diagnosticToRecord(diagnostic, places);
    const { code, severity } = record;
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: LEVELS[severity],
      message: { text: escapeInvisible(record.message) },
      ...(record.file === undefined ? {} : { locations: [makeSarifLocation(record, toPath)] }),
    };
  });
  return renderJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'mcpgen', version, rules } }, columnKind: 'utf16CodeUnits', results }],
  });
}

/** Joins the runs of all servers in one document. GitHub refuses two runs of one category, the id before its last slash (2025-07). */
export function joinSarif(servers: readonly { server: string; text: string }[]): string {
  const all = servers.map(({ server, text }) => {
    const { runs, ...rest } = JSON.parse(text) as { runs: object[] };
    const id = `mcpgen/${server}/`;
    return { ...rest, runs: runs.map((run) => ({ ...run, automationDetails: { id } })) };
  });
  return renderJson({ ...all[0], runs: all.flatMap(({ runs }) => runs) });
}

function sarifRule(code: string): object {
  const found = findDefinition(code);
  if (found === undefined) return { id: code };
  const { name, severity, docs } = found;
  return {
    id: code,
    name,
    shortDescription: { text: name },
    fullDescription: { text: docs.cause },
    help: { text: docs.fix },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function makeSarifLocation(
  { file = '', line, column = 1, pointer }: DiagnosticRecord,
  toPath: (file: string) => string,
): object {
  const isUri = /^[a-z][a-z+.-]+:/i.test(file);
  const path = encodeURI(toPath(file).replaceAll('\\', '/'));
  const uri = isUri ? file : path.replaceAll('#', '%23').replaceAll('?', '%3F');
  const region = line === undefined ? undefined : { startLine: line, startColumn: column };
  const logical =
    pointer === undefined || pointer === '' ? undefined : [{ fullyQualifiedName: `#${pointer}` }];
  return {
    physicalLocation: { artifactLocation: { uri }, ...(region && { region }) },
    ...(logical && { logicalLocations: logical }),
  };
}

const MOST_ROWS = 20;

/** Text of documents is escaped, so that none of it becomes markup. `toPath` is as for SARIF. */
export function renderLintMarkdown(
  result: LintResult,
  diagnostics: readonly Diagnostic[],
  places: Places,
  toPath: (file: string) => string,
): string {
  const { name, score, tools, fixable } = result;
  const head = `**${escapeMarkdown(escapeInvisible(name))}: ${String(score)} of 100** · ${formatListingSize(result)}\n`;
  const kinds = new Map<string, { count: number; first: Diagnostic }>();
  for (const each of diagnostics)
    kinds.set(each.code, {
      count: (kinds.get(each.code)?.count ?? 0) + 1,
      first: kinds.get(each.code)?.first ?? each,
    });
  const rules = [...kinds]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([code, { count, first }]) =>
        `| ${code} | ${first.severity} | ${formatCount(count)} | ${formatMarkdownFinding(diagnosticToRecord(first, places), toPath)} |\n`,
    );
  const lowest = [...tools]
    .filter((tool) => tool.score < 100)
    .sort((one, other) => one.score - other.score)
    .slice(0, MOST_ROWS)
    .map(
      (tool) =>
        `| ${quoteAsCodeSpan(escapeInvisible(tool.name)).replaceAll('|', '\\|')} | ${String(tool.score)} | ${tool.findings.join(', ')} |\n`,
    );
  const parts = [
    head,
    rules.length === 0
      ? ''
      : `| Code | Severity | Count | First |\n| --- | --- | --: | --- |\n${rules.join('')}`,
    lowest.length === 0 ? '' : `| Tool | Score | Findings |\n| --- | --: | --- |\n${lowest.join('')}`,
    fixable === 0 ? '' : `\`mcpgen lint --fix\` ends ${formatCountWithNoun(fixable, 'finding')}.\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Formats a finding as one line of Markdown: the place, the message and the next step. */
function formatMarkdownFinding(
  { file, line, message, hint }: DiagnosticRecord,
  toPath: (file: string) => string,
): string {
  const place = file === undefined ? '' : `${toPath(file)}${line === undefined ? '' : `:${String(line)}`}: `;
  const words = `${place}${message}${hint === undefined ? '' : ` ${hint}`}`;
  return escapeMarkdown(escapeInvisible(words));
}
