import type { ReportOptions } from '../config/options/option-types.ts';
import type { ReportFormat } from '../diagnostics/render/report.ts';
import type { Host } from './host.ts';

/** `MCPGEN_FORMAT`, else annotations on GitHub, else text for people. */
export function reportFormat(env: Host['env']): ReportFormat {
  const wanted = env['MCPGEN_FORMAT'];
  if (isReportFormat(wanted)) return wanted;
  return env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'pretty';
}

/** Whether unchanged sources need not be compiled again: not if all of their diagnostics are asked for. */
export function maySkip({ json, verbose }: ReportOptions, { env }: Host): boolean {
  return json !== true && verbose !== true && reportFormat(env) === 'pretty';
}

export function isReportFormat(value: unknown): value is ReportFormat {
  return value === 'pretty' || value === 'github' || value === 'agent';
}
