import type { ReportOptions } from '../config/options/option-types.ts';
import type { ReportFormat } from '../diagnostics/render/report.ts';
import type { Host } from './host.ts';

/** Annotations where GitHub shows them; `MCPGEN_FORMAT` decides otherwise. */
export function reportFormat(env: Host['env']): ReportFormat {
  const wanted = env['MCPGEN_FORMAT'];
  if (isReportFormat(wanted)) return wanted;
  return env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'pretty';
}

/** Whether nobody asked for all that there is to say of the sources: then what has not changed need not be compiled. */
export function maySkip({ json, verbose }: ReportOptions, { env }: Host): boolean {
  return json !== true && verbose !== true && reportFormat(env) === 'pretty';
}

export function isReportFormat(value: unknown): value is ReportFormat {
  return value === 'pretty' || value === 'github' || value === 'agent';
}
