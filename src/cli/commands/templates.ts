import type { Flags } from '../../config/options/option-types.ts';
import { join, resolve } from 'node:path';
import { type Outcome, outcomeWithoutSource, successOutcome } from '../outcome.ts';
import type { Host } from '../host.ts';
import { findConfig } from '../../config/load/find-config.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { formatCountWithNoun, quoteShellWord, printablePath } from '../words.ts';

export async function listTemplates({ templates: folder }: Flags, host: Host): Promise<Outcome> {
  const { checkTemplatesFolder: judgeTemplates } = await import('../../emit/templates/overrides.ts');
  const { templateNames } = await import('../../emit/views/template-views.ts');
  const diagnostics = new DiagnosticCollector();
  const replaced =
    folder === undefined
      ? new Set()
      : await judgeTemplates({ path: resolve(host.cwd, folder), label: folder }, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const listed = templateNames.map((name) =>
    replaced.has(name) ? { name, file: join(folder ?? '', `${name}.hbs`) } : { name },
  );
  const width = Math.max(...templateNames.map((name) => name.length));
  const lines = listed.map(({ name, file }) =>
    file === undefined ? `${name}\n` : `${name.padEnd(width)}  ${printablePath(file)}\n`,
  );
  return { ...successOutcome(listed, lines.join('')), diagnostics: diagnostics.found };
}

export async function ejectTemplates(names: string[], flags: Flags, host: Host): Promise<Outcome> {
  const { output = 'templates', force = false } = flags;
  const diagnostics = new DiagnosticCollector();
  if (names.length === 0) {
    const problem = 'a template name is missing';
    const suggestion = ' `mcpgen templates list` shows them.';
    diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen templates eject' });
    return outcomeWithoutSource(diagnostics);
  }
  const { ejectTemplates: copyTemplates } = await import('../../api/eject-templates.ts');
  const files = await copyTemplates(names, { dir: output, cwd: host.cwd, force }, diagnostics);
  if (files === undefined) return outcomeWithoutSource(diagnostics);
  const text = files.map((file) => `wrote ${printablePath(file)}\n`).join('');
  const folder = printablePath(output);
  const compile =
    findConfig('.', host.cwd).project === undefined
      ? `mcpgen openapi <source> --templates ${quoteShellWord(folder)}`
      : `set "templates": ${JSON.stringify(folder)} in the configuration, and run mcpgen generate`;
  const next = `  ${formatCountWithNoun(files.length, 'template')} copied. To compile with them: ${compile}\n`;
  return { ...successOutcome({ files }, text, next), diagnostics: diagnostics.found };
}
