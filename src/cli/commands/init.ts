import type { Flags } from '../../config/options/option-types.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { faultWords } from '../../config/options/shape.ts';
import { checkConfig, isFaulty } from '../../config/options/parse-config.ts';
import { CONFIG_FILES } from '../../config/options/project-config.ts';
import type { ConfigSource } from '../../config/options/sources.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { type CommandContext, type Outcome, outcomeWithoutSource, success } from '../outcome.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options.ts';
import { isCodeFile } from '../source-kind.ts';

const EXAMPLES = `Examples:
  mcpgen init petstore.yaml
  mcpgen init petstore.yaml "src/**/*.ts"
  mcpgen init petstore.yaml --format yaml
`;

/** Usual names of documents, in the order they are looked for. */
const USUAL = ['openapi', 'swagger', 'api'].flatMap((name) =>
  ['yaml', 'yml', 'json'].map((end) => `${name}.${end}`),
);

export function addInit(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('init')
    .summary('write a commented mcpgen.config.ts')
    .description(
      'Writes a configuration to the working folder, with the sources set and all other members as comments. Then run mcpgen generate.',
    )
    .argument(
      '[source...]',
      'documents, and files or globs of functions (default: openapi.yaml or a similar file, if present)',
    )
    .addHelpText('before', EXAMPLES);
  addOptions(command, 'init');
  command.action(async (sources: string[], flags: Flags) => {
    finish(await init(sources, flags, host), flags);
  });
}

async function init(given: string[], { format = 'ts' }: Flags, { cwd }: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const existing = CONFIG_FILES.find((name) => existsSync(resolve(cwd, name)));
  const file = `mcpgen.config.${format}`;
  const sources =
    given.length > 0 ? given : USUAL.filter((name) => existsSync(resolve(cwd, name))).slice(0, 1);
  const listed = toSources(sources);
  if (existing !== undefined) diagnostics.report('config-exists', { file: existing });
  else if (sources.length === 0) diagnostics.report('nothing-to-configure', {});
  else refuseUnfit(listed, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const { commentedConfig } = await import('../../config/options/commented-config.ts');
  const { saveFileOrReport } = await import('../../write/index.ts');
  const text = commentedConfig(listed, format);
  await saveFileOrReport(resolve(cwd, file), text, { force: false, shown: file }, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  return success({ file, sources: listed }, `wrote ${file}\n`, '  Next: mcpgen generate\n');
}

function refuseUnfit(sources: ConfigSource[], diagnostics: DiagnosticCollector): void {
  const checked = checkConfig({ sources });
  if (!isFaulty(checked)) return;
  for (const fault of checked.faults) {
    const problem = faultWords(fault);
    diagnostics.report('invalid-usage', { problem, suggestion: '', command: 'mcpgen init' });
  }
}

/** All files of functions are one source. */
function toSources(given: readonly string[]): ConfigSource[] {
  const code = given.filter(isCodeFile);
  const documents = given.filter((source) => !isCodeFile(source)).map((openapi) => ({ openapi }));
  return code.length === 0 ? documents : [...documents, { typescript: code }];
}
