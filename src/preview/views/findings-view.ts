import { resolve } from 'node:path';

import { readFileIfAny } from '../../util/read-file.ts';
import type { Diagnostic } from '../../diagnostics/collector.ts';
import { locateOrigin } from '../../diagnostics/locate/locate.ts';
import { type Places, resolveOrigin } from '../../diagnostics/render/place.ts';
import { TextLines } from '../../util/text-lines.ts';
import { renderCodeFrame } from '../../diagnostics/render/pretty.ts';
import type { Finding } from '../../lint/rule.ts';
import { omitUndefined } from '../../util/collections.ts';
import { escapePointerToken } from '../../util/json-schema.ts';
import type { Severity } from '../../diagnostics/define.ts';
import type { FindingRow, FindingsView, SurfaceView } from '../protocol.ts';
import type { CompiledServer } from '../workspace.ts';
import { toolNamesAtOrigin } from './tool-rows.ts';

/** Rows behind these have no frame: a large document has thousands, and their texts are megabytes. */
const MOST_FRAMES = 500;

export function makeFindingsView(compiled: CompiledServer): FindingsView {
  const last = lastCompilation(compiled);
  const { generation, report } = last;
  return {
    generation,
    ...omitUndefined({ score: report.score }),
    findings: findingRows(last, report.diagnostics),
  };
}

/** Returns the last compilation, even if something stopped it. */
function lastCompilation({ stopped, ...compiled }: CompiledServer): CompiledServer {
  return stopped === undefined ? compiled : { ...compiled, report: stopped };
}

/** The error that stops a source, and how many diagnostics there are of each severity. */
export function summarizeDiagnostics(
  compiled: CompiledServer,
): Pick<SurfaceView, 'fault' | 'errors' | 'warnings'> {
  const last = lastCompilation(compiled);
  const { model, diagnostics } = last.report;
  const selectSeverity = (severity: Severity): Diagnostic[] =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity);
  const errors = selectSeverity('error');
  const [fault] = model === undefined ? findingRows(last, errors.slice(0, 1)) : [];
  return { ...omitUndefined({ fault }), errors: errors.length, warnings: selectSeverity('warning').length };
}

export function findingRows(compiled: CompiledServer, diagnostics: readonly Diagnostic[]): FindingRow[] {
  const { report } = compiled;
  const tools = report.model?.tools ?? [];
  const findings = new Map((report.findings ?? []).map((finding) => [finding.diagnostic, finding]));
  // With `strict`, findings are copies that have become errors.
  const byText = new Map(
    (report.findings ?? []).map((finding) => [diagnosticKey(finding.diagnostic), finding]),
  );
  const places = makeSourcePlaces(compiled);
  const lines = new Map<string, TextLines>();
  return diagnostics.map((diagnostic, index) => {
    const finding = findings.get(diagnostic) ?? byText.get(diagnosticKey(diagnostic));
    const { code, name, severity, message, hint, origin } = diagnostic;
    const place = origin && resolveOrigin(origin, places);
    const frame = place && index < MOST_FRAMES ? renderFrameAt(place, places, lines) : undefined;
    return {
      ...{ code, name, severity, message },
      ...omitUndefined({
        hint,
        file: place?.file,
        line: place?.position?.line,
        frame,
        field: fieldOf(finding),
      }),
      tools: finding?.tools ?? toolNamesAtOrigin(tools, origin),
      isFixable: finding?.fix !== undefined,
    };
  });
}

/** The text to change: of the argument, else of the tool. */
function fieldOf(finding: Finding | undefined): string | undefined {
  if (finding === undefined) return undefined;
  const { argument, rule } = finding;
  if (argument !== undefined) return `/inputSchema/properties/${escapePointerToken(argument)}/description`;
  if (rule === 'verb-against-method') return '/name';
  return /description|duplicate/.test(rule) ? '/description' : undefined;
}

function diagnosticKey({ code, message, origin }: Diagnostic): string {
  return JSON.stringify([code, message, origin]);
}

/** Positions in documents, and the texts of functions and configurations, which are read again. */
export function makeSourcePlaces({ report: { texts }, options }: CompiledServer): Places {
  const code = new Map<string, string | undefined>();
  const readCode = (file: string): string | undefined => {
    if (!code.has(file)) code.set(file, readFileIfAny(resolve(options?.cwd ?? '.', file)));
    return code.get(file);
  };
  return {
    locate: (origin) => locateOrigin(texts, origin),
    textOf: (file) => texts.textOf(file) ?? readCode(file),
  };
}

function renderFrameAt(
  { file, pointer, position }: ReturnType<typeof resolveOrigin>,
  places: Places,
  linesByFile: Map<string, TextLines>,
): string | undefined {
  if (position === undefined || pointer === '') return undefined;
  const text = linesByFile.has(file) ? '' : places.textOf(file);
  if (text === undefined) return undefined;
  const lines = linesByFile.get(file) ?? new TextLines(text);
  linesByFile.set(file, lines);
  const frame = renderCodeFrame(lines, position, { paint: (_style, text) => text });
  return frame.length === 0 ? undefined : frame.join('\n');
}
