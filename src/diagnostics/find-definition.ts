/** Finds entries of the registry, and their pages, for `mcpgen explain`. */
import { readFileSync } from 'node:fs';
import { nearest } from '../../templates/runtime/validate.ts';
import { packageRoot } from '../util/version.ts';
import type { DiagnosticCollector } from './collector.ts';
import type { Severity } from './define.ts';
import { registry } from './registry.ts';

export interface ExplainedDiagnostic {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  /** Absent if it has parameters, or if `docs.fix` contains it. */
  hint?: string;
  docs: DiagnosticPage;
}

/** The sections of `docs/diagnostics/<code>.md`. */
interface DiagnosticPage {
  cause: string;
  fix: string;
  /** Minimal input that provokes the diagnostic. */
  example?: string;
  /** The party whose rule it is, with the date at which the rule was read. Absent: mcpgen's own. */
  source?: string;
}

export function listDefinitions(): ExplainedDiagnostic[] {
  return Object.entries<LooseDefinition>(registry)
    .map(([name, definition]) => explainDefinition(name, definition))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function findDefinition(query: string): ExplainedDiagnostic | undefined {
  const text = query.trim().toLowerCase();
  const code = /^\d{3}$/.test(text) ? `mcpg${text}` : text;
  const entry = Object.entries<LooseDefinition>(registry).find(
    ([name, definition]) => name === text || definition.code.toLowerCase() === code,
  );
  return entry && explainDefinition(...entry);
}

export function reportUnknownDiagnostic(
  query: string,
  command: string,
  diagnostics: DiagnosticCollector,
): void {
  const candidates = Object.entries(registry).flatMap(([name, { code }]) => [name, code]);
  const near = nearest(query.trim(), candidates);
  diagnostics.report('invalid-usage', {
    problem: `there is no diagnostic "${query}"`,
    suggestion: near === undefined ? '' : ` Did you mean ${near}?`,
    command,
  });
}

interface LooseDefinition {
  code: string;
  severity: Severity;
  message: (parameters: never) => string;
  hint?: string | ((parameters: never) => string);
}

function explainDefinition(name: string, definition: LooseDefinition): ExplainedDiagnostic {
  const { code, severity, hint } = definition;
  const docs = readPage(code);
  const isNews = typeof hint === 'string' && !docs.fix.includes(hint.replace(/\.$/, ''));
  const message = definition.message(placeholders as never);
  return { code, name, severity, message, docs, ...(isNews ? { hint } : {}) };
}

/** Parameters for an example message: the value of each is its own name in angle brackets. */
const placeholders = new Proxy<Record<string, string>>({}, { get: (_target, key) => `<${String(key)}>` });

function readPage(code: string): DiagnosticPage {
  const markdown = readFileSync(new URL(`docs/diagnostics/${code}.md`, packageRoot()), 'utf8');
  const sections = new Map(
    markdown.split(/^##? /m).map((section) => {
      const heading = section.split('\n', 1).join('');
      return [heading.startsWith('MCPG') ? 'Cause' : heading, section.slice(heading.length).trim()];
    }),
  );
  const example = sections.get('Example')?.replace(/^`{3,}\w*\n|\n`{3,}$/g, '');
  const source = sections.get('Source');
  return {
    cause: readProse(sections.get('Cause')),
    fix: readProse(sections.get('What to do')),
    ...(example === undefined ? {} : { example }),
    ...(source === undefined ? {} : { source: readProse(source) }),
  };
}

/** Markdown escapes `<` and `*` of prose; a terminal shows them plainly. */
function readProse(markdown = ''): string {
  return markdown.replace(/\\([<*])/g, '$1');
}
