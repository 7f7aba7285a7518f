import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Flags } from '../../config/options/option-types.ts';
import { isUrl } from '../../config/options/make-config.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Host } from '../host.ts';
import { type InspectedOptions, readInspectedOptions, addLockedNames } from '../inspected-options.ts';
import { addHelpOption, addCommandOptions } from '../options.ts';
import {
  type CommandContext,
  type Outcome,
  outcomeOfDiagnostics,
  outcomeWithoutSource,
  loadDiagnosticCollector,
} from '../outcome.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, printablePath } from '../words.ts';

const EXAMPLES = `Examples:
  mcpgen skills init petstore.yaml
  mcpgen skills init petstore.yaml -o ./skills
`;

export function addSkills(program: Command, context: CommandContext): void {
  const command = program
    .command('skills')
    .summary('write a first skill for each tag of a document')
    .description('A folder skills beside a source is served: clients read a skill when a task needs it.')
    .helpCommand(false)
    .addHelpText('before', EXAMPLES);
  addInit(command, context);
  addHelpOption(command);
}

function addInit(skills: Command, { host, finish }: CommandContext): void {
  const command = skills
    .command('init')
    .summary('write first skills')
    .description(
      'Writes a skill for each tag of a document: what its tools are for, in which order they are called, pages and errors. Improve them: they say only what the document says.',
    )
    .argument(
      '<source>',
      'OpenAPI document, TypeScript file, or project folder, which supplies the tool names',
    )
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'skills init');
  command.action(async (source: string, flags: Flags) => {
    finish(await runSkillsInit(source, flags, host), flags);
  });
}

async function runSkillsInit(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = await loadDiagnosticCollector();
  const compileOptions = await readInspectedOptions(source, flags, host, diagnostics, 'mcpgen skills init');
  const options = compileOptions && (await addLockedNames(compileOptions, host, diagnostics));
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { draftSkills } = await import('../../api/skills-draft.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { skills, diagnostics: draftDiagnostics, texts } = await draftSkills({ ...options, onStage });
    const outcome = await outcomeOfDiagnostics(draftDiagnostics, texts);
    if (skills === undefined) return outcome;
    const folder = flags.skillsFolder ?? defaultSkillsFolder(options);
    const files = skills.map(({ name, text }) => ({ file: join(folder, name, 'SKILL.md'), text }));
    await writeSkillFiles(folder, files, { host, force: flags.force ?? false, diagnostics });
    if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
    return {
      ...outcome,
      result: { folder, skills: skills.map(({ name, tools }) => ({ name, tools })) },
      text: `wrote ${printablePath(folder)}: ${formatCountWithNoun(skills.length, 'skill')}\n`,
      next:
        flags.skillsFolder === undefined
          ? '  Improve them, then compile: the folder skills beside the source is served.\n'
          : `  Improve them, then name the folder in the configuration: "skills": ${JSON.stringify(printablePath(folder))}\n`,
    };
  });
}

function defaultSkillsFolder({ source, typescript, sources }: InspectedOptions): string {
  const isFile = typescript === undefined && sources === undefined && source !== '-' && !isUrl(source);
  return isFile ? join(dirname(source), 'skills') : 'skills';
}

interface Writing {
  host: Host;
  force: boolean;
  diagnostics: DiagnosticCollector;
}

/** Writes all files, or none if one of them exists with other contents. */
async function writeSkillFiles(
  folder: string,
  files: readonly { file: string; text: string }[],
  { host, force, diagnostics }: Writing,
): Promise<void> {
  const { isSaved, saveFileOrReport } = await import('../../write/index.ts');
  const statFile = async (path: string) => lstat(resolve(host.cwd, path)).catch(() => undefined);
  for (const { file, text } of files) {
    const places = [folder, dirname(file), file];
    const there = await Promise.all(places.map(statFile));
    const link = places[there.findIndex((stats) => stats?.isSymbolicLink())];
    const problem = link === undefined ? 'the file exists' : `${printablePath(link)} is a link`;
    const isInTheWay = there[2] !== undefined && !force && !(await isSaved(resolve(host.cwd, file), text));
    if (link !== undefined || isInTheWay)
      diagnostics.report('draft-not-written', { file: printablePath(file), problem });
  }
  if (diagnostics.hasErrors) return;
  for (const { file, text } of files)
    await saveFileOrReport(
      resolve(host.cwd, file),
      text,
      { force, shown: printablePath(file), within: host.cwd },
      diagnostics,
    );
}
