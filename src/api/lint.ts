/** Judges what a model reads of a server: words, arguments, siblings, budgets, and rules of clients. */
import { checkOptions } from './check-options.ts';
import {
  type Derived,
  runDeriveStage,
  sortAndEscalateDiagnostics,
  runLoadStage,
  readLockedNames,
} from './compile.ts';
import { reportExceededBudget } from './inspect.ts';
import type { Loaded } from './load-sources.ts';
import type { LintOptions } from './options.ts';
import { type Diagnostic, DiagnosticCollector, raiseWarning } from '../diagnostics/collector.ts';
import { noTexts, type SourceTexts } from '../diagnostics/locate/text-places.ts';
import type { SourcePart } from '../derive/index.ts';
import { type ListingCost, listingCost } from '../derive/listing-cost.ts';
import { makeLintedServer } from '../lint/linted-server.ts';
import type { Finding } from '../lint/rule.ts';
import { type DocumentFixes, checkRules, collectFixes } from '../lint/rules.ts';
import { type Scores, scoreTools } from '../lint/score.ts';
import type { OldOverlay } from '../frontends/openapi/overlay/print-overlay.ts';
import type { ServerModel } from '../model/server-model.ts';

export interface LintReport extends Partial<Scores> {
  /** False after an error, of the source or of a rule. */
  ok: boolean;
  model?: ServerModel;
  cost?: ListingCost;
  /** Violations of rules; diagnostics of compiling are not among them. */
  findings: Finding[];
  /** Changes, by document, that need no words but those of the source; an overlay makes them. Absent after an error. */
  fixes?: DocumentFixes[];
  /** Diagnostics of compiling, then findings in the order of the rules. */
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

/** Compiles a server and checks it. Nothing is written, and the same source gives the same report. */
export async function lint(options: LintOptions): Promise<LintReport> {
  const { parts, derived, app, ...report } = await compileAndLint(options);
  void [parts, derived, app];
  return report;
}

export interface Examination extends LintReport {
  parts?: readonly SourcePart[];
  /** The model before words of the configuration and the user's hook. */
  derived?: ServerModel;
  /** The user's own code, of annotated functions; made when asked for. */
  app?: Loaded['app'];
}

/** Lints as `lint` does, and also returns the sources, the derived model and the app that the report was made from. */
export async function compileAndLint(options: LintOptions): Promise<Examination> {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(options, 'lint', diagnostics))
    return { ok: false, findings: [], diagnostics: diagnostics.found, texts: noTexts };
  const loaded = await runLoadStage(options, diagnostics);
  const { parts, texts } = loaded;
  if (parts === undefined) return makeFailure(diagnostics, options, texts);
  const locked = await readLockedNames(parts, options, diagnostics);
  const derived = await runDeriveStage(parts, { ...options, ...locked }, diagnostics);
  // With `strict`, a warning of compiling is an error of the report, and the rules are checked all the same.
  if (diagnostics.hasErrors) return makeFailure(diagnostics, options, texts);
  return await lintModel({ ...loaded, parts, ...derived }, options, diagnostics);
}

function makeFailure(
  diagnostics: DiagnosticCollector,
  options: LintOptions,
  texts: SourceTexts,
): Examination {
  return { ok: false, findings: [], diagnostics: sortAndEscalateDiagnostics(diagnostics, options), texts };
}

interface Compiled extends Pick<Loaded, 'app' | 'texts'>, Derived {
  parts: readonly SourcePart[];
}

async function lintModel(
  { parts, app, texts, model, derived }: Compiled,
  options: LintOptions,
  diagnostics: DiagnosticCollector,
): Promise<Examination> {
  const sources = parts.map(({ source }) => source);
  const server = makeLintedServer(model, derived, sources, options);
  const findings = checkRules(server);
  const cost = listingCost(model);
  await reportInvalidDocuments(parts, texts, diagnostics);
  reportExceededBudget(model, options, diagnostics);
  const compiled = sortAndEscalateDiagnostics(diagnostics, options);
  const lintDiagnostics = findings.map(({ diagnostic }) => diagnostic);
  const allDiagnostics = [
    ...compiled,
    ...(options.strict === true ? lintDiagnostics.map(raiseWarning) : lintDiagnostics),
  ];
  return {
    ok: !allDiagnostics.some(({ severity }) => severity === 'error'),
    ...scoreTools(model, findings, compiled),
    ...{ model, cost, findings, fixes: collectFixes(server, findings) },
    diagnostics: allDiagnostics,
    texts,
    ...{ parts, derived, app },
  };
}

/** The fixes as an overlay, after the actions of an earlier one. */
export async function printFixes({ updates }: DocumentFixes, old?: OldOverlay): Promise<string> {
  const { printOverlay } = await import('../frontends/openapi/overlay/print-overlay.ts');
  return printOverlay('Fixes of mcpgen lint', updates, old);
}

async function reportInvalidDocuments(
  parts: readonly SourcePart[],
  texts: SourceTexts,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const { validateDocument } = await import('../frontends/openapi/validate-document.ts');
  for (const {
    source: { origin },
  } of parts) {
    const text = origin.kind === 'document' ? texts.textOf(origin.file) : undefined;
    if (origin.kind !== 'document' || text === undefined) continue;
    const validation = await validateDocument(text, origin.file);
    if ('unknown' in validation)
      diagnostics.report('openapi-not-validated', { because: validation.unknown }, { at: origin });
    else
      for (const { pointer, problem } of validation.faults)
        diagnostics.report('invalid-openapi', { problem }, { at: { ...origin, pointer } });
  }
}
