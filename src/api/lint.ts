/** Judges what a model reads of a server: words, arguments, siblings, budgets, and rules of clients and directories. */
import { checkOptions } from './check-options.ts';
import { derive, isBlocked, judged, load } from './compile.ts';
import { type ListingCost, listingCost } from './inspect.ts';
import type { CompileOptions } from './options.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import { noTexts, type SourceTexts } from '../diagnostics/locate/text-places.ts';
import { type Audience, lintedServer } from '../lint/linted-server.ts';
import type { Finding } from '../lint/rule.ts';
import { checkRules } from '../lint/rules.ts';
import { type Scores, scoreTools } from '../lint/score.ts';
import type { ServerModel } from '../model/server-model.ts';
import { readNameLock } from './compile.ts';

export interface LintOptions extends CompileOptions, Audience {}

export interface LintReport extends Partial<Scores> {
  /** False after an error, of the source or of a rule. */
  ok: boolean;
  model?: ServerModel;
  cost?: ListingCost;
  /** What the rules found, without the diagnostics of compiling. */
  findings: Finding[];
  /** Diagnostics of compiling, then findings in the order of the rules. */
  diagnostics: readonly Diagnostic[];
  texts: SourceTexts;
}

/** Compiles a server and checks it. Nothing is written, and the same source gives the same report. */
export async function lint({ clients, directories, ...options }: LintOptions): Promise<LintReport> {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(options, 'compile', diagnostics))
    return { ok: false, findings: [], diagnostics: diagnostics.found, texts: noTexts };
  const { parts, texts } = await load(options, diagnostics);
  if (parts === undefined)
    return { ok: false, findings: [], diagnostics: judged(diagnostics, options), texts };
  const nameLock = options.nameLock ?? (await readNameLock(parts, options, diagnostics));
  const { model, derived } = await derive(parts, { ...options, nameLock }, diagnostics);
  if (isBlocked(diagnostics, options))
    return { ok: false, findings: [], diagnostics: judged(diagnostics, options), texts };
  const sources = parts.map(({ source }) => source);
  const findings = checkRules(lintedServer(model, derived, sources, { clients, directories }));
  const compiled = judged(diagnostics, options);
  const found = [...compiled, ...findings.map(({ diagnostic }) => diagnostic)];
  return {
    ok: !found.some(({ severity }) => severity === 'error'),
    ...scoreTools(model, findings, compiled),
    model,
    cost: listingCost(model),
    findings,
    diagnostics: found,
    texts,
  };
}
