/** Finds entries of the registry for `mcpgen explain`. */
import { suggestNearest } from '../../templates/runtime/contract/feature.ts';
import type { DiagnosticDocs, Severity } from './define.ts';
import { registry } from './registry.ts';

export interface ExplainedDiagnostic {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  /** Absent if it has parameters, or if `docs.fix` contains it. */
  hint?: string;
  docs: DiagnosticDocs;
}

export function listDefinitions(): ExplainedDiagnostic[] {
  return Object.keys(registry)
    .map((name) => findDefinitionByName(name))
    .filter((entry) => entry !== undefined)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function findDefinition(query: string): ExplainedDiagnostic | undefined {
  const wanted = query.trim().toLowerCase();
  const code = /^\d{3}$/.test(wanted) ? `mcpg${wanted}` : wanted;
  return listDefinitions().find((entry) => entry.code.toLowerCase() === code || entry.name === wanted);
}

interface LooseDefinition {
  code: string;
  severity: Severity;
  message: (parameters: Record<string, string>) => string;
  hint?: string | ((parameters: never) => string);
  docs: DiagnosticDocs;
}

function findDefinitionByName(name: string): ExplainedDiagnostic | undefined {
  const entries: Record<string, unknown> = registry;
  const entry = entries[name];
  if (!isDefinition(entry)) return undefined;
  const { code, severity, docs, message, hint } = entry;
  const isNews = typeof hint === 'string' && !docs.fix.includes(hint.replace(/\.$/, ''));
  return { code, name, severity, message: message(placeholders), docs, ...(isNews ? { hint } : {}) };
}

function isDefinition(value: unknown): value is LooseDefinition {
  return (
    typeof value === 'object' && value !== null && 'code' in value && 'message' in value && 'docs' in value
  );
}

/** Parameters for an example message: the value of each is its own name in angle brackets. */
const placeholders = new Proxy<Record<string, string>>({}, { get: (_target, key) => `<${String(key)}>` });

const MOST = 5;

export function suggestDefinitions(query: string): string[] {
  const wanted = query.trim().toLowerCase();
  const digits = /^(?:mcpg)?[-\s]*(\d+)$/.exec(wanted)?.[1];
  if (digits !== undefined) return suggestCodes(digits);
  const name = suggestNearest(
    wanted,
    listDefinitions().map((one) => one.name),
  );
  return name === undefined ? [] : [name];
}

function suggestCodes(digits: string): string[] {
  const codes = listDefinitions().map(({ code }) => code);
  const begun = codes.filter((code) => code.startsWith(`MCPG${digits}`));
  const slips = codes.filter((code) => differsByOneDigit(digits, code.slice('MCPG'.length)));
  return (begun.length > 0 ? begun : slips).slice(0, MOST);
}

/** Whether a mistyped code has one wrong digit, or one digit too many. */
function differsByOneDigit(given: string, code: string): boolean {
  if (given.length === code.length) return [...given].filter((digit, at) => digit !== code[at]).length === 1;
  if (given.length !== code.length + 1) return false;
  return [...given].some((_, at) => given.slice(0, at) + given.slice(at + 1) === code);
}
