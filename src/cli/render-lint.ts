/** The report of `lint`: as JSON, and as text for a person. */
import type { LintReport } from '../api/lint.ts';
import { type Paint, visible } from '../diagnostics/render/terminal-text.ts';
import { registry } from '../diagnostics/registry.ts';
import type { LintResult } from './json-output.ts';
import { formatCount, formatSection, plural } from './words.ts';

export function lintResult({ model, score = 0, tools = [], cost, findings }: LintReport): LintResult {
  const tokens = new Map(cost?.tools.map((tool) => [tool.name, tool.tokens]));
  const counts: Record<string, number> = {};
  for (const { diagnostic } of findings) counts[diagnostic.code] = (counts[diagnostic.code] ?? 0) + 1;
  return {
    name: model?.name ?? '',
    score,
    listTokens: cost?.tokens ?? 0,
    findings: Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1))),
    fixable: findings.filter(({ fix }) => fix !== undefined).length,
    tools: tools.map((tool) => ({ ...tool, tokens: tokens.get(tool.name) ?? 0 })),
  };
}

/** Most tools that the text lists, lowest scores first. */
const MOST_SHOWN = 10;

export function renderLint(report: LintReport, paint: Paint): string {
  const { name, score, listTokens, findings, fixable, tools } = lintResult(report);
  const total = Object.values(findings).reduce((sum, count) => sum + count, 0);
  const head = `${paint('bold', visible(name))} · score ${paint('bold', String(score))} of 100 · ${plural(tools.length, 'tool')} · about ${formatCount(listTokens)} tokens\n`;
  const names = new Map<string, string>(Object.entries(registry).map(([rule, { code }]) => [code, rule]));
  const rules = Object.entries(findings).map(([code, count]) => [
    code,
    names.get(code) ?? '',
    plural(count, 'finding'),
  ]);
  const lowest = tools
    .filter((tool) => tool.score < 100)
    .sort((one, other) => one.score - other.score)
    .slice(0, MOST_SHOWN)
    .map((tool) => [tool.name, String(tool.score), tool.findings.join(', ')]);
  const fixes =
    fixable === 0
      ? ''
      : `${plural(fixable, 'finding')} of ${formatCount(total)} can be fixed with words of the source: --fix\n`;
  const sections = [
    formatSection('Findings', rules, paint),
    formatSection('Lowest scores', lowest, paint),
    fixes,
  ];
  return [head, ...sections.filter((text) => text !== '')].join('\n');
}
