/** Makes what `--fix` writes: the fixes of all findings, by document and operation. */
import type { LintedServer } from './linted-server.ts';
import type { Finding, ToolFix } from './rule.ts';

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
