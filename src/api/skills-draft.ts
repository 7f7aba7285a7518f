/** Drafts skills for a server, one for each tag, for a person to improve. */
import { draftSkillTexts, type SkillDraft } from '../derive/skill-draft.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import type { SourceTexts } from '../diagnostics/locate/text-places.ts';
import {
  runDeriveStage,
  hasBlockingDiagnostics,
  sortAndEscalateDiagnostics,
  runLoadStage,
} from './compile.ts';
import type { CompileOptions } from './options.ts';

interface SkillsDraft {
  /** Absent after an error. */
  skills?: SkillDraft[];
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

/** Rejects only when `signal` is aborted, or for a bug of mcpgen. */
export async function draftSkills(compileOptions: CompileOptions): Promise<SkillsDraft> {
  const diagnostics = new DiagnosticCollector();
  const options = { ...compileOptions, skills: '-' };
  const { parts, texts } = await runLoadStage(options, diagnostics);
  if (parts === undefined) return { diagnostics: sortAndEscalateDiagnostics(diagnostics, options), texts };
  const { model } = await runDeriveStage(parts, options, diagnostics);
  const sorted = sortAndEscalateDiagnostics(diagnostics, options);
  if (hasBlockingDiagnostics(diagnostics, options)) return { diagnostics: sorted, texts };
  const skills = draftSkillTexts(
    model,
    parts.map(({ source }) => source),
  );
  return { skills, diagnostics: sorted, texts };
}
