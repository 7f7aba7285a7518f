import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import { join, resolve } from 'node:path';
import {
  type CommandContext,
  type Outcome,
  outcomeWithoutSource,
  successOutcome,
  loadDiagnosticCollector,
} from '../outcome.ts';
import type { Host } from '../host.ts';
import { findConfig } from '../../config/load/find-config.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { makeConfigRun } from '../compile-options.ts';
import { addHelpOption, addCommandOptions } from '../options.ts';
import { formatCountWithNoun, quoteShellWord, printablePath } from '../words.ts';

const EXAMPLES = `Examples:
  mcpgen templates list
  mcpgen templates list --templates templates
  mcpgen templates eject README.md Dockerfile
  mcpgen openapi petstore.yaml --templates templates
`;

export function addTemplates(program: Command, context: CommandContext): void {
  const command = program
    .command('templates')
    .summary("list the templates of a project's files, or copy them")
    .description(
      "Handlebars templates produce a project's files, except its runtime. To replace some, pass your folder with --templates, or set templates in the configuration.",
    )
    .helpCommand(false)
    .addHelpText('before', EXAMPLES);
  addTemplatesListCommand(command, context);
  addEject(command, context);
  addHelpOption(command);
}

function addTemplatesListCommand(templates: Command, { host, finish }: CommandContext): void {
  const command = templates
    .command('list')
    .summary('list the templates')
    .description('Lists the templates, and the files that replace them in your folder.')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'templates list');
  command.action(async (flags: Flags) => {
    finish(await runTemplatesList(flags.templates, host), flags);
  });
}

function addEject(templates: Command, { host, finish }: CommandContext): void {
  const command = templates
    .command('eject')
    .summary('copy built-in templates into a folder')
    .description('Copies built-in templates into a folder, where you can change them.')
    .argument('[name...]', 'names of templates (mcpgen templates list)')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'templates eject');
  command.action(async (names: string[], flags: Flags) => {
    finish(await runTemplatesEject(names, flags, host), flags);
  });
}

interface ListedTemplate {
  name: string;
  file?: string;
}

async function runTemplatesList(folder: string | undefined, host: Host): Promise<Outcome> {
  const { checkTemplatesFolder: judgeTemplates } = await import('../../emit/templates/overrides.ts');
  const { templateNames } = await import('../../emit/views/template-views.ts');
  const diagnostics = await loadDiagnosticCollector();
  const replaced =
    folder === undefined
      ? new Set()
      : await judgeTemplates({ path: resolve(host.cwd, folder), label: folder }, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const listed = templateNames.map((name) =>
    replaced.has(name) ? { name, file: join(folder ?? '', `${name}.hbs`) } : { name },
  );
  return { ...successOutcome(listed, formatTemplateList(listed)), diagnostics: diagnostics.found };
}

function formatTemplateList(listed: readonly ListedTemplate[]): string {
  const width = Math.max(...listed.map(({ name }) => name.length));
  const lines = listed.map(({ name, file }) =>
    file === undefined ? name : `${name.padEnd(width)}  ${printablePath(file)}`,
  );
  return `${lines.join('\n')}\n`;
}

async function runTemplatesEject(names: string[], flags: Flags, host: Host): Promise<Outcome> {
  const { templatesFolder: output = 'templates', force = false } = flags;
  const diagnostics = await loadDiagnosticCollector();
  if (names.length === 0) {
    const problem = 'a template name is missing';
    const suggestion = ' `mcpgen templates list` shows them.';
    diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen templates eject' });
    return outcomeWithoutSource(diagnostics);
  }
  const { ejectTemplates } = await import('../../api/eject-templates.ts');
  const files = await ejectTemplates(names, { dir: output, cwd: host.cwd, force }, diagnostics);
  if (files === undefined) return outcomeWithoutSource(diagnostics);
  const text = files.map((file) => `wrote ${printablePath(file)}\n`).join('');
  const compile = await describeTemplatesUse(output, flags, host, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const next = `  ${formatCountWithNoun(files.length, 'template')} copied. To compile with them: ${compile}\n`;
  return { ...successOutcome({ files }, text, next), diagnostics: diagnostics.found };
}

/** Within a project, its configuration gets the folder of the templates. */
async function describeTemplatesUse(
  folder: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<string> {
  const isProject = findConfig('.', host.cwd).project !== undefined;
  if (!isProject) return `mcpgen openapi <source> --templates ${quoteShellWord(printablePath(folder))}`;
  const { nameInConfiguration } = await import('../../api/project-options.ts');
  const run = makeConfigRun(flags, host, diagnostics);
  const configEdit = await nameInConfiguration('.', 'templates', folder, run, 'mcpgen templates eject');
  const write =
    configEdit?.isWritten === false
      ? `write ${configEdit.setting} into ${printablePath(configEdit.config)}, and run `
      : '';
  return `${write}mcpgen generate`;
}
