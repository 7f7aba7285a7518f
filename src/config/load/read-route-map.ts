import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Fault, describeFault } from '../options/shape.ts';
import { parseRouteRules } from '../options/values.ts';
import type { RouteRule } from '../options/sources.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';

/** Deepest nesting: rules are flat. */
const MAX_DEPTH = 20;

/** Reads a route map in JSON or YAML. `file` is relative to `cwd`. `undefined` after an error. */
export async function readRouteMap(
  file: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): Promise<RouteRule[] | undefined> {
  const rules = await readRuleFile(file, cwd);
  if (!('problem' in rules)) return rules;
  const fix = 'A route map is a JSON or YAML list of `{ methods, path, tags, operationId, deprecated, as }`.';
  diagnostics.report('invalid-config', { file: `The route map ${file}`, problem: rules.problem, fix });
  return undefined;
}

async function readRuleFile(file: string, cwd: string): Promise<RouteRule[] | { problem: string }> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    return { problem: describeReadError(error) };
  }
  // The parser of YAML reads JSON, too.
  const { parseYaml } = await import('../../frontends/openapi/load/parse-text.ts');
  const parsed = parseYaml(text, file, MAX_DEPTH);
  if ('failed' in parsed) return { problem: parsed.reason };
  const rules = parseRouteRules(parsed.value);
  return 'faults' in rules ? { problem: rules.faults.map(describeRuleFault).join('; ') } : rules;
}

function describeRuleFault({ path: [index, ...rest], problem }: Fault): string {
  if (typeof index !== 'number') return `it ${problem}`;
  const description = rest.length === 0 ? problem : describeFault({ path: rest, problem });
  return `rule ${index + 1} ${description}`;
}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EISDIR' ? 'it is a folder' : `it cannot be read (${code})`;
}
