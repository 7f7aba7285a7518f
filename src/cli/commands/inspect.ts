import { join } from 'node:path';
import type { Command } from 'commander';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CommandContext } from '../command-context.ts';
import { type CommandOptions, compileOptions, runOptions } from '../compile-options.ts';
import { exitCodeFor } from '../exit-code.ts';
import type { CompileFlags, ReportFlags } from '../flags.ts';
import type { Host } from '../host.ts';
import { isFolder } from '../is-folder.ts';
import { isConfigFile } from '../../read-config.ts';
import { addCompileOptions, addHelpOption, addReportOptions, addStrictOption } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';
import { placesFor } from '../places.ts';
import { isCode } from '../source-kind.ts';
import { startProgress } from '../progress.ts';
import { functionOptions } from './ts.ts';
import { visiblePath } from '../words.ts';

type Flags = CompileFlags & ReportFlags;

/** `dir` is that of a project. */
type InspectedOptions = CommandOptions & { dir?: string };

const EXAMPLES = `Examples:
  mcpgen inspect petstore.yaml
  mcpgen inspect petstore-mcp
  mcpgen inspect "src/**/*.ts"
  mcpgen inspect petstore.yaml --json > server-model.json
`;

export function addInspect(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('inspect')
    .summary('what would be served: tools, resources, prompts, tokens')
    .description(
      'Shows what would be served, and what listing it costs. --json prints the ServerModel (schema/server-model.json); after an error, { ok, exitCode, diagnostics, result } as every command does.',
    )
    .argument(
      '<source>',
      'file, http(s) URL, - for standard input, folder of a project, or file or glob of annotated functions',
    )
    .addHelpText('before', EXAMPLES);
  addCompileOptions(command);
  addReportOptions(addStrictOption(command));
  addHelpOption(command);
  command.action(async (source: string, flags: Flags) => {
    finish(await inspectSource(source, flags, host), flags);
  });
}

async function inspectSource(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const options = await optionsFor(source, flags, host, diagnostics);
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { inspect } = await import('../../inspect.ts');
  const progress = startProgress(source, flags, host);
  try {
    const {
      diagnostics: found,
      texts,
      model,
      cost,
    } = await inspect({ ...options, onStage: progress.onStage });
    const outcome = {
      exitCode: exitCodeFor(found),
      diagnostics: found,
      places: await placesFor(found, texts, host.cwd),
    };
    if (model === undefined || cost === undefined) return { ...outcome, result: null };
    const { renderModel } = await import('../render-model.ts');
    const text = renderModel(model, cost, host.stdout.paint);
    const next = options.dir === undefined ? {} : { next: handlersNote(options.dir) };
    return { ...outcome, result: model, document: model, text, ...next };
  } finally {
    progress.done();
  }
}

/** The project's own code is not run here. */
function handlersNote(dir: string): string {
  return `  What ${visiblePath(join(dir, 'src/handlers/'))} adds or replaces is not shown.\n`;
}

/** A project's folder brings its own options; flags win over them. */
async function optionsFor(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<InspectedOptions | undefined> {
  const isProject = isConfigFile(source) || (await isFolder(source, host.cwd));
  if (isCode(source) && !isProject) return { ...functionOptions([source], flags, host) };
  const given = await compileOptions(source, flags, host, diagnostics);
  if (given === undefined || !isProject) return given;
  const { projectOptions } = await import('../../project-options.ts');
  const project = await projectOptions(source, host.cwd, diagnostics);
  return project === undefined
    ? undefined
    : { ...project, ...given, source: project.source, ...runOptions(host) };
}
