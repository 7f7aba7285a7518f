import type { Flags } from '../../config/options/option-types.ts';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  type CommandContext,
  type Outcome,
  combineOutcomes,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
  loadDiagnosticCollector,
} from '../outcome.ts';
import type { Host } from '../host.ts';
import { type InspectedOptions, runForServers } from '../inspected-options.ts';
import { addCommandOptions } from '../options.ts';
import { withProgress } from '../progress.ts';
import { printablePath } from '../words.ts';

const EXAMPLES = `Examples:
  mcpgen inspect petstore.yaml
  mcpgen inspect petstore-mcp
  mcpgen inspect "src/**/*.ts"
  mcpgen inspect petstore.yaml --json > server-model.json
`;

export function addInspect(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('inspect')
    .summary('show the tools, resources, prompts and their tokens')
    .description(
      'Shows the tools, resources and prompts of the server, and the tokens that listing them takes. --json prints the ServerModel (schema/server-model.json), or after an error { ok, exitCode, diagnostics, result }.',
    )
    .argument(
      '<source>',
      'file, http(s) URL, - for standard input, folder of a project, or file or glob of annotated functions',
    )
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'inspect');
  command.action(async (source: string, flags: Flags) => {
    finish(await inspectSource(source, flags, host), flags);
  });
}

async function inspectSource(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = await loadDiagnosticCollector();
  const outcomes = await runForServers(source, flags, host, diagnostics, (options) =>
    inspectServer(source, options, flags, host),
  );
  return outcomes === undefined ? outcomeWithoutSource(diagnostics) : combineOutcomes(outcomes, host);
}

async function inspectServer(
  source: string,
  options: InspectedOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { inspect } = await import('../../api/inspect.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { diagnostics, texts, model, cost } = await inspect({ ...options, onStage });
    const outcome = await outcomeOfDiagnostics(diagnostics, texts);
    if (model === undefined || cost === undefined) return outcome;
    const { renderModel } = await import('../render-model.ts');
    const { shareRepeatedSchemas: printedModel } = await import('../../model/shared-schemas.ts');
    const text = renderModel(model, cost, host.stdout.paint);
    // `inspect` does not run the code of the project.
    const handlers = options.dir && printablePath(join(options.dir, 'src/handlers/'));
    const next = handlers && `  What ${handlers} adds or replaces is not shown.\n`;
    const printed = flags.json === true ? printedModel(model) : model;
    return { ...outcome, result: printed, document: printed, text, next };
  });
}
