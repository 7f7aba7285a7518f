/** One program has one set of options, so files under another configuration are reported. */
import { relative } from 'node:path';
import { ts } from 'ts-morph';
import { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import { type CompilerSetup, compilerSetup, nearestConfig } from './compiler-options.ts';
import { withSlashes } from './find-files.ts';

/** Reports each configuration that is the nearest of some file and differs from `setup`. */
export function reportOtherConfigs(
  paths: readonly string[],
  setup: CompilerSetup,
  cwd: string,
  diagnostics: DiagnosticCollector,
): void {
  const byConfig = new Map(paths.toReversed().map((path) => [nearestConfig(path), path]));
  if (byConfig.size < 2) return;
  const used = formatConfig(findConfigPath(setup), cwd);
  for (const [config, path] of [...byConfig].reverse()) {
    // Faults of an unused configuration do not matter.
    const other = compilerSetup(path, cwd, undefined, new DiagnosticCollector(), ts.sys);
    if (other !== undefined && formatOptions(other) === formatOptions(setup)) continue;
    const file = withSlashes(relative(cwd, path));
    const parameters = { used, other: formatConfig(config, cwd), file };
    const at = { kind: 'code', file, line: 1, column: 1 } as const;
    diagnostics.report('several-tsconfigs', parameters, { at });
  }
}

function findConfigPath({ options }: CompilerSetup): string | undefined {
  const { configFilePath } = options;
  return typeof configFilePath === 'string' ? configFilePath : undefined;
}

function formatConfig(config: string | undefined, cwd: string): string {
  return config === undefined ? 'no tsconfig.json' : withSlashes(relative(cwd, config));
}

/** Formats the options for comparison, without their location. */
function formatOptions({ options }: CompilerSetup): string {
  const { configFilePath, pathsBasePath, ...others } = options;
  void configFilePath;
  const whole = options.paths === undefined ? others : { ...others, pathsBasePath };
  return JSON.stringify(Object.entries(whole).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
