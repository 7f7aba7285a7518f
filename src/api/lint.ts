/** Judges what a model reads of a server: words, arguments, siblings, budgets, and rules of clients and directories. */
import { checkLintOptions } from './check-options.ts';
import { runDeriveStage, sortAndEscalateDiagnostics, runLoadStage, readLockedNames } from './compile.ts';
import { reportExceededBudget } from './inspect.ts';
import type { Loaded } from './load-sources.ts';
import type { LintOptions } from './options.ts';
import { type Diagnostic, DiagnosticCollector, warningsToErrors } from '../diagnostics/collector.ts';
import { noTexts, type SourceTexts } from '../diagnostics/locate/text-places.ts';
import type { SourcePart } from '../derive/index.ts';
import { type ListingCost, listingCost } from '../derive/listing-cost.ts';
import { collectFixes, type DocumentFixes } from '../lint/fixes.ts';
import { makeLintedServer } from '../lint/linted-server.ts';
import type { Finding } from '../lint/rule.ts';
import { checkRules } from '../lint/rules.ts';
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
export async function lint(given: LintOptions): Promise<LintReport> {
  const { parts, derived, app, ...report } = await compileAndLint(given);
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
export async function compileAndLint(given: LintOptions): Promise<Examination> {
  const diagnostics = new DiagnosticCollector();
  const { clients, directories, ...options } = given;
  if (!checkLintOptions(given, diagnostics))
    return { ok: false, findings: [], diagnostics: diagnostics.found, texts: noTexts };
  const { parts, app, texts } = await runLoadStage(options, diagnostics);
  if (parts === undefined)
    return { ok: false, findings: [], diagnostics: sortAndEscalateDiagnostics(diagnostics, options), texts };
  const locked = await readLockedNames(parts, options, diagnostics);
  const { model, derived } = await runDeriveStage(parts, { ...options, ...locked }, diagnostics);
  // With `strict`, a warning of compiling is an error of the report, and the rules are checked all the same.
  if (diagnostics.hasErrors)
    return { ok: false, findings: [], diagnostics: sortAndEscalateDiagnostics(diagnostics, options), texts };
  const sources = parts.map(({ source }) => source);
  const server = makeLintedServer(model, derived, sources, { clients, directories });
  const findings = checkRules(server);
  await reportInvalidDocuments(parts, texts, diagnostics);
  reportExceededBudget(model, options, diagnostics);
  const compiled = sortAndEscalateDiagnostics(diagnostics, options);
  const own = findings.map(({ diagnostic }) => diagnostic);
  const found = [...compiled, ...(options.strict === true ? warningsToErrors(own) : own)];
  return {
    ok: !found.some(({ severity }) => severity === 'error'),
    ...scoreTools(model, findings, compiled),
    model,
    cost: listingCost(model),
    findings,
    fixes: collectFixes(server, findings),
    diagnostics: found,
    texts,
    ...{ parts, derived, app },
  };
}

/** The fixes as an overlay, with the other actions of an earlier one. */
export async function printFixes({ updates }: DocumentFixes, old?: OldOverlay): Promise<string> {
  const { printOverlay, replaceOverlayUpdates } =
    await import('../frontends/openapi/overlay/print-overlay.ts');
  if (old !== undefined) return (await replaceOverlayUpdates(old, updates)).text;
  return printOverlay('Fixes of mcpgen lint', updates);
}

async function reportInvalidDocuments(
  parts: readonly SourcePart[],
  texts: SourceTexts,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  for (const { origin } of parts.map(({ source }) => source)) {
    const text = origin.kind === 'document' ? texts.textOf(origin.file) : undefined;
    if (origin.kind !== 'document' || text === undefined) continue;
    const { validateDocument } = await import('../frontends/openapi/validate-document.ts');
    const validity = await validateDocument(text, origin.file);
    if ('unknown' in validity)
      diagnostics.report('openapi-not-validated', { because: validity.unknown }, { at: origin });
    else
      for (const { pointer, problem } of validity.faults)
        diagnostics.report('invalid-openapi', { problem }, { at: { ...origin, pointer } });
  }
}
