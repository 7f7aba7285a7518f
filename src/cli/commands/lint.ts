import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { LintReport } from '../../api/lint.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import {
  type CommandContext,
  type Outcome,
  type ServerOutcome,
  combinedOutcome,
  outcomeFrom,
  outcomeWithoutSource,
} from '../outcome.ts';
import type { Host } from '../host.ts';
import { type InspectedOptions, inspectedServers } from '../inspected-options.ts';
import { addOptions } from '../options.ts';
import { withProgress } from '../progress.ts';

const EXAMPLES = `Examples:
  mcpgen lint petstore.yaml
  mcpgen lint petstore-mcp --client claude,cursor --fail-on warning
  mcpgen lint petstore.yaml --fix           writes mcpgen.overlay.yaml
  mcpgen lint petstore.yaml --format sarif > lint.sarif
`;

export function addLint(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('lint')
    .summary('judge what a model reads: words, arguments, siblings, clients')
    .description(
      'Judges the names, descriptions and schemas that a model reads, and scores each tool and the server. Writes nothing without --fix.',
    )
    .argument(
      '<source>',
      'file, http(s) URL, - for standard input, folder of a project, or file or glob of annotated functions',
    )
    .addHelpText('before', EXAMPLES);
  addOptions(command, 'lint');
  command.action(async (source: string, flags: Flags) => {
    finish(await lintSource(source, flags, host), flags);
  });
}

async function lintSource(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const servers = await inspectedServers(source, flags, host, diagnostics);
  if (servers === undefined) return outcomeWithoutSource(diagnostics);
  const outcomes: ServerOutcome[] = [];
  for (const read of servers) {
    const { server, options, diagnostics: found } = await read();
    const outcome =
      options === undefined ? outcomeWithoutSource(found) : await lintServer(source, options, flags, host);
    outcomes.push({ outcome, server });
  }
  return combinedOutcome(outcomes, host);
}

async function lintServer(
  source: string,
  options: InspectedOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { lint } = await import('../../api/lint.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { client: clients, directory: directories } = flags;
    const report = await lint({ ...options, clients, directories, onStage });
    const outcome = await outcomeFrom(report.diagnostics, report.texts);
    return report.model === undefined ? outcome : describeReport(report, outcome, host);
  });
}

async function describeReport(report: LintReport, outcome: Outcome, host: Host): Promise<Outcome> {
  const { lintResult, renderLint } = await import('../render-lint.ts');
  return { ...outcome, result: lintResult(report), text: renderLint(report, host.stdout.paint) };
}
