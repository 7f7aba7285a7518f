/** The table of rules: what `lint` checks in each server. A new rule is a row here, its diagnostic and its rows in the test. */
import { argumentRules } from './argument-rules.ts';
import { clientRules } from './client-rules.ts';
import type { LintedServer } from './linted-server.ts';
import type { Finding, Rule, ToolFix } from './rule.ts';
import { siblingRules } from './sibling-rules.ts';
import { methodRules, wordRules } from './word-rules.ts';

export const RULES: readonly Rule[] = [
  ...wordRules,
  ...argumentRules,
  ...siblingRules,
  ...methodRules,
  ...clientRules,
];

/** Checks the rules, in the order of the table, and of the tools. */
export function checkRules(server: LintedServer): Finding[] {
  return RULES.flatMap(({ check }) => check(server));
}

/** Points that a compiler diagnostic takes from a tool's score. */
export const COMPILED_COSTS: Readonly<Record<string, number>> = {
  'instruction-like-text': 20,
  'hidden-text': 10,
};

/** Changes of one document. */
export interface DocumentFixes {
  document: string;
  updates: { pointer: string; update: { 'x-mcp': ToolFix } }[];
  /** Number of findings that the fixes resolve. */
  findings: number;
}

/** Collects the fixes in the order of the tools. */
export function collectFixes({ tools }: LintedServer, findings: readonly Finding[]): DocumentFixes[] {
  const byTool = new Map<string, ToolFix[]>();
  for (const { tools: names, fix } of findings) {
    const [name = ''] = names;
    if (fix !== undefined) byTool.set(name, [...(byTool.get(name) ?? []), fix]);
  }
  const fixesByDocument = new Map<string, DocumentFixes>();
  for (const { tool, document } of tools) {
    const fixes = byTool.get(tool.name);
    if (fixes === undefined || document === undefined || tool.origin.kind !== 'document') continue;
    const documentFixes = fixesByDocument.get(document) ?? { document, updates: [], findings: 0 };
    documentFixes.updates.push({ pointer: tool.origin.pointer, update: { 'x-mcp': joinFixes(fixes) } });
    documentFixes.findings += fixes.length;
    fixesByDocument.set(document, documentFixes);
  }
  return [...fixesByDocument.values()];
}

function joinFixes(fixes: readonly ToolFix[]): ToolFix {
  const argumentFixes = Object.assign({}, ...fixes.map((fix) => fix.arguments ?? {})) as ToolFix['arguments'];
  const joined = Object.assign({}, ...fixes) as ToolFix;
  return argumentFixes === undefined || Object.keys(argumentFixes).length === 0
    ? joined
    : { ...joined, arguments: argumentFixes };
}
