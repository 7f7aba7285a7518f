/** Checks the options of a program, as a configuration is checked: from JavaScript they may be anything. */
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { makeSourcesCheck } from '../config/options/parse-config.ts';
import { pickChecks } from '../config/options/rows.ts';
import {
  type Check,
  type Fault,
  type Path,
  checkMembers,
  describeFault,
  findUnknownMembers,
} from '../config/options/shape.ts';
import { OPTIONS } from '../config/options/table.ts';
import { routeRules } from '../config/options/values.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';

/** A program reads a file of route rules itself. */
const OF_DOCUMENT = { ...pickChecks('document'), routeMap: routeRules };

const CHECKS: Record<string, Check> = {
  ...OF_DOCUMENT,
  ...pickChecks('server', 'project', 'run', 'consent'),
  source: (value, path) => (typeof value === 'string' ? [] : [{ path, problem: 'must be a string' }]),
  typescript: OPTIONS.typescript.check,
  clients: OPTIONS.client.check,
  // The loader of functions reports what is wrong with them.
  hooks: checkModuleOrFunctions,
  helpers: checkModuleOrFunctions,
};

function checkModuleOrFunctions(value: unknown, path: Path): Fault[] {
  if (typeof value === 'string' || isRecord(value)) return [];
  return [{ path, problem: 'must be the path of a module, or an object of functions' }];
}

/** Members that are no options of a configuration or a command. `$schema` comes with a configuration that is passed on. */
const OTHERS = [
  '$schema',
  'document',
  'sources',
  'routeMapFile',
  'prefix',
  'outputSchemaLimit',
  'nameLock',
  'lockedOutputs',
  'lockedSurface',
  'dir',
  'beside',
  'variables',
  'owner',
  'asWritten',
  'confinement',
  'cwd',
  'env',
  'command',
  'stdin',
  'fetch',
  'signal',
  'onStage',
  'onRemoval',
  'addTargets',
  'limits',
  'observer',
];

/** A run takes one option of each pair. */
const EXCLUSIVE = [
  ['force', 'keep'],
  ['check', 'rebuildLock'],
] as const;

/** Whether options can be used. Reports all faults. `isRun`: a configuration names the sources. */
export function checkOptions(
  options: object,
  call: string,
  diagnostics: DiagnosticCollector,
  isRun = false,
): boolean {
  const faults = findFaults(options, isRun);
  for (const fault of faults) diagnostics.report('invalid-options', { call, problem: describeFault(fault) });
  return faults.length === 0;
}

function findFaults(options: unknown, isRun: boolean): Fault[] {
  if (!isRecord(options)) return [{ path: [], problem: 'is not an object' }];
  const faults = findUnknownMembers(options, [...Object.keys(CHECKS), ...OTHERS], []);
  // A misspelt member may be the source.
  if (!isRun && options['source'] === undefined && faults.length === 0)
    faults.push({
      path: [],
      problem: 'has no "source": the document, or what messages call "typescript" or "sources"',
    });
  for (const [one, other] of EXCLUSIVE)
    if (options[one] === true && options[other] === true)
      faults.push({ path: [], problem: `has both "${one}" and "${other}"; one can be true` });
  const sources = makeSourcesCheck({ ...OF_DOCUMENT, routeMapFile: () => [] }, options['maxNameLength']);
  return [...faults, ...checkMembers(options, { ...CHECKS, sources }, [])];
}
