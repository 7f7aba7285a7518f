/** The report of `lint`: as JSON, and as text for a person. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { LintReport } from '../api/lint.ts';
import { type Paint, escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import { registry } from '../diagnostics/registry.ts';
import type { LintResult } from './json-output.ts';
import { formatCount, formatSection, formatToolCount, formatCountWithNoun } from './words.ts';

export function lintResult(report: LintReport): LintResult {
  const { model, score = 0, listedScore, tools = [], cost, findings } = report;
  const tokens = new Map(cost?.tools.map((tool) => [tool.name, tool.tokens]));
  const counts: Record<string, number> = {};
  for (const { diagnostic } of findings)
    counts[diagnostic.code] = (ownMember(counts, diagnostic.code) ?? 0) + 1;
  return {
    name: model?.name ?? '',
    score,
    ...(listedScore === undefined ? {} : { listedScore }),
    listed: cost?.listed ?? 0,
    listTokens: cost?.tokens ?? 0,
    allTokens: (cost?.all ?? cost)?.tokens ?? 0,
    findings: Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1))),
    fixable: findings.filter(({ fix }) => fix !== undefined).length,
    tools: tools.map((tool) => ({ ...tool, tokens: tokens.get(tool.name) ?? 0 })),
  };
}

/** Most tools that the text report of `lint` lists; those with the lowest scores come first. */
const MOST_SHOWN = 10;

export function renderLint(report: LintReport, paint: Paint): string {
  const result = lintResult(report);
  const { name, score, findings, fixable, tools } = result;
  const total = Object.values(findings).reduce((sum, count) => sum + count, 0);
  const head = `${paint('bold', escapeInvisible(name))} · score ${paint('bold', String(score))} of 100 · ${formatListingSize(result)}\n`;
  const names = new Map<string, string>(Object.entries(registry).map(([rule, { code }]) => [code, rule]));
  const rules = Object.entries(findings).map(([code, count]) => [
    code,
    names.get(code) ?? '',
    formatCountWithNoun(count, 'finding'),
  ]);
  const lowest = tools
    .filter((tool) => tool.score < 100)
    .sort((one, other) => one.score - other.score)
    .slice(0, MOST_SHOWN)
    .map((tool) => [tool.name, String(tool.score), tool.findings.join(', ')]);
  const fixes =
    fixable === 0
      ? ''
      : `${formatCountWithNoun(fixable, 'finding')} of ${formatCount(total)} can be fixed with words of the source: --fix\n`;
  const sections = [
    formatSection('Findings', rules, paint),
    formatSection('Lowest scores', lowest, paint),
    fixes,
  ];
  return [head, ...sections.filter((text) => text !== '')].join('\n');
}

/** `1,206 tools, 7 listed (pinned ones: score 90) · about 700 tokens (all tools: about 250,000)` */
function formatListingSize({ tools, listed, listedScore, listTokens, allTokens }: LintResult): string {
  const score = listedScore === undefined ? '' : ` (pinned ones: score ${listedScore})`;
  const size = `about ${formatCount(listTokens)} tokens`;
  const whole = listTokens === allTokens ? '' : ` (all tools: about ${formatCount(allTokens)})`;
  return `${formatToolCount(tools.length, { listed })}${score} · ${size}${whole}`;
}
