/** Checks the values of a program's options, as those of a configuration are checked. */
import { makeSourcesCheck } from '../config/options/parse-config.ts';
import { pickChecks } from '../config/options/rows.ts';
import { checkMembers, describeFault } from '../config/options/shape.ts';
import { routeRules } from '../config/options/values.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';

/** A program reads a file of route rules itself, and gives functions as they are. */
const DOCUMENT_CHECKS = { ...pickChecks('document'), routeMap: routeRules };
const CHECKS = { ...DOCUMENT_CHECKS, ...pickChecks('server', 'project', 'run', 'consent') };

/** Whether options can be used. Reports all faults. */
export function checkOptions(options: object, call: string, diagnostics: DiagnosticCollector): boolean {
  const values: Record<string, unknown> = { ...options };
  const sources = makeSourcesCheck({ ...DOCUMENT_CHECKS, routeMapFile: () => [] }, values['maxNameLength']);
  const faults = checkMembers(values, { ...CHECKS, sources }, []);
  for (const fault of faults) diagnostics.report('invalid-options', { call, problem: describeFault(fault) });
  return faults.length === 0;
}
