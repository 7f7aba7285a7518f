import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Flags } from '../../config/options/option-types.ts';
import { isUrl } from '../../config/options/make-config.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Host } from '../host.ts';
import { type SourceOptions, readServer, addLockedNames } from '../sources.ts';
import { type Outcome, outcomeOfDiagnostics, outcomeWithoutSource } from '../outcome.ts';
import { withProgress } from '../progress.ts';
import { formatCountWithNoun, printablePath } from '../words.ts';

export async function runSkillsInit(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const run = { flags, host, diagnostics, command: 'mcpgen skills init' };
  const compileOptions = await readServer([source], run);
  const options = compileOptions && (await addLockedNames(compileOptions, host, diagnostics));
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { draftSkills } = await import('../../api/skills-draft.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { skills, diagnostics: draftDiagnostics, texts } = await draftSkills({ ...options, onStage });
    const outcome = await outcomeOfDiagnostics(draftDiagnostics, texts);
    if (skills === undefined) return outcome;
    const folder = flags.output ?? defaultSkillsFolder(options);
    const files = skills.map(({ name, text }) => ({ file: join(folder, name, 'SKILL.md'), text }));
    await writeSkillFiles(folder, files, flags.force ?? false, host, diagnostics);
    if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
    return {
      ...outcome,
      result: { folder, skills: skills.map(({ name, tools }) => ({ name, tools })) },
      text: `wrote ${printablePath(folder)}: ${formatCountWithNoun(skills.length, 'skill')}\n`,
      next:
        flags.output === undefined
          ? '  Improve them, then compile: the folder skills beside the source is served.\n'
          : `  Improve them, then name the folder in the configuration: "skills": ${JSON.stringify(printablePath(folder))}\n`,
    };
  });
}

function defaultSkillsFolder({ source, typescript, sources }: SourceOptions): string {
  const isFile = typescript === undefined && sources === undefined && source !== '-' && !isUrl(source);
  return isFile ? join(dirname(source), 'skills') : 'skills';
}

/** Writes all files, or none if one of them exists with other contents. */
async function writeSkillFiles(
  folder: string,
  files: readonly { file: string; text: string }[],
  force: boolean,
  host: Host,
  diagnostics: DiagnosticCollector,
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
