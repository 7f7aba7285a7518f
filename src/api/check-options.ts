/** Checks what a program states as options, as a configuration is checked: from JavaScript they may be anything. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { CompileOptions, DiffOptions, LintOptions, ProjectOptions, RunCall } from './options.ts';
import {
  makeChoiceCheck,
  type Check,
  type Fault,
  type Path,
  describeFault,
  flag,
  makeMapCheck,
  checkMembers,
  makePredicateCheck,
  makeObjectCheck,
  text,
  findUnknownMembers,
} from '../config/options/shape.ts';
import { makeSourcesCheck } from '../config/options/parse-config.ts';
import { routeRules } from '../config/options/values.ts';
import { pickChecks } from '../config/options/rows.ts';
import { OPTIONS } from '../config/options/table.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { LockedName } from '../derive/index.ts';
import { isModel } from '../diff/surface.ts';

const isText = makePredicateCheck((value) => typeof value === 'string', 'must be a string');
const func = makePredicateCheck((value) => typeof value === 'function', 'must be a function');
const object = makePredicateCheck(isRecord, 'must be an object');
const list = makePredicateCheck(Array.isArray, 'must be a list');
const count = makePredicateCheck(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  'must be a whole number above 0',
);
/** The loader of the functions reports what is wrong inside them. */
const functions = makePredicateCheck(
  (value) => typeof value === 'string' || isRecord(value),
  'must be the path of a module, or an object of functions',
);

const texts = OPTIONS.publish.check;

/** Options hold the route rules themselves; a program reads a file of rules itself. */
const OF_DOCUMENT = { ...pickChecks('document'), routeMap: routeRules, routeMapFile: text };

const A_SIDE = 'an object of one member: compile, project or model';

function checkLockedName(value: unknown, path: Path): Fault[] {
  return isRecord(value) ? checkMembers(value, LOCKED, path) : isText(value, path);
}

const LOCKED: Record<keyof LockedName, Check> = { name: isText, operationId: isText };

const RUN_CHECKS: Record<string, Check> = {
  ...pickChecks('run'),
  stdin: func,
  fetch: func,
  signal: object,
  onStage: func,
  onRemoval: func,
  skip: flag,
  addTargets: texts,
  limits: object,
  observer: object,
  drafts: object,
  memory: object,
  env: object,
  noCode: flag,
  command: isText,
  cwd: isText,
};

const SETTINGS: Record<string, Check> = {
  ...OF_DOCUMENT,
  ...pickChecks('server', 'project'),
  ...RUN_CHECKS,
  routeMap: routeRules,
  routeMapFile: text,
  source: isText,
  document: object,
  typescript: OPTIONS.typescript.check,
  sources: () => [],
  hooks: functions,
  helpers: functions,
  prefix: isText,
  outputSchemaLimit: count,
  lockedOutputs: makeChoiceCheck('off', 'listed'),
  lockedSurface: makeChoiceCheck('tools', 'search', 'both'),
  nameLock: makeMapCheck(checkLockedName, 'must be an object of texts'),
  dir: isText,
  beside: isText,
  variables: object,
  owner: object,
  asWritten: list,
  confinement: object,
};

/** A program may pass on a JSON configuration as it is, with the `$schema` that editors read. */
const KNOWN = ['$schema', ...Object.keys(SETTINGS)];

const runMembers = makeObjectCheck(
  { ...RUN_CHECKS, ...pickChecks('consent'), output: isText },
  'is not an object',
);

function checkProjectOptions(options: unknown, path: Path): Fault[] {
  return [...runMembers(options, path), ...findExclusiveOptions(options, path)];
}

/** Ways to treat edited and foreign files, of which at most one can be chosen. */
const POLICIES = ['force', 'keep'];

/** A check compares with the lock, which `rebuildLock` does not read. */
const REBUILD = ['check', 'rebuildLock'];

function findExclusiveOptions(options: unknown, path: Path): Fault[] {
  if (!isRecord(options)) return [];
  const [one, other] =
    [POLICIES, REBUILD]
      .map((names) => names.filter((name) => options[name] === true))
      .find(({ length }) => length > 1) ?? [];
  return other === undefined ? [] : [{ path, problem: `has both "${one}" and "${other}"; one can be true` }];
}

const model = makePredicateCheck(isModel, 'must be the model of a server, as compile gives it');

const SIDE: Record<'compile' | 'project' | 'model', Check> = {
  compile: findCompileOptionFaults,
  project: text,
  model,
};

const COMPARED: Record<keyof DiffOptions, Check> = {
  before: findDiffSideFaults,
  after: findDiffSideFaults,
  cwd: isText,
};

/** Whether options can be used. Reports all faults, in the same words as for a configuration. */
export function checkOptions(
  options: CompileOptions,
  call: 'compile' | 'generate',
  diagnostics: DiagnosticCollector,
): boolean {
  return reportFaults(call, findCompileOptionFaults(options, []), diagnostics);
}

/** `checkOptions` for `lint`, which takes clients, too. */
export function checkLintOptions(
  { clients, ...options }: LintOptions,
  diagnostics: DiagnosticCollector,
): boolean {
  const clientFaults = checkMembers({ clients }, { clients: OPTIONS.client.check }, []);
  return reportFaults('lint', [...findCompileOptionFaults(options, []), ...clientFaults], diagnostics);
}

/** `checkOptions` for `draftOverlay`, which takes the function `into`, too. */
export function checkDraftOptions(
  options: CompileOptions,
  into: ((name: string) => string) | undefined,
  diagnostics: DiagnosticCollector,
): boolean {
  const besides = into === undefined ? [] : func(into, ['into']);
  return reportFaults('draftOverlay', [...findCompileOptionFaults(options, []), ...besides], diagnostics);
}

export function checkRunOptions(
  dir: string,
  options: ProjectOptions,
  call: RunCall,
  diagnostics: DiagnosticCollector,
): boolean {
  return reportFaults(call, [...isText(dir, ['dir']), ...checkProjectOptions(options, [])], diagnostics);
}

export function checkDiffSides(options: DiffOptions, diagnostics: DiagnosticCollector): boolean {
  return reportFaults('diff', findDiffSidesFaults(options), diagnostics);
}

function reportFaults(call: string, faults: readonly Fault[], diagnostics: DiagnosticCollector): boolean {
  for (const fault of faults) diagnostics.report('invalid-options', { call, problem: describeFault(fault) });
  return faults.length === 0;
}

function findCompileOptionFaults(options: unknown, path: Path): Fault[] {
  if (!isRecord(options)) return [{ path, problem: 'is not an object' }];
  const sources = makeSourcesCheck(OF_DOCUMENT, options['maxNameLength']);
  const unknown = findUnknownMembers(options, KNOWN, path);
  const isNamed = options['typescript'] !== undefined || options['sources'] !== undefined;
  const problem = isNamed
    ? 'has no "source": a name of your choice, for messages about what "typescript" or "sources" lists'
    : 'has no "source": the path or URL of the document to compile';
  // A misspelt member may be the source.
  const isMissing = options['source'] === undefined && unknown.length === 0;
  return [
    ...unknown,
    ...(isMissing ? [{ path, problem }] : []),
    ...findDocumentConflict(options, isNamed, path),
    ...checkMembers(options, { ...SETTINGS, sources }, path),
    ...findExclusiveOptions(options, path),
  ];
}

/** A document that is given as an object would be the only source. */
function findDocumentConflict(options: Record<string, unknown>, isNamed: boolean, path: Path): Fault[] {
  if (!isNamed || options['document'] === undefined) return [];
  return [{ path, problem: 'has both "document" and "typescript" or "sources"; one can be given' }];
}

function findDiffSidesFaults(options: unknown): Fault[] {
  const faults = makeObjectCheck(COMPARED, 'is not an object')(options, []);
  if (!isRecord(options) || faults.some(({ key }) => key !== undefined)) return faults;
  const missing = (['before', 'after'] as const).filter((side) => options[side] === undefined);
  return [...missing.map((side) => ({ path: [], problem: `has no "${side}": ${A_SIDE}` })), ...faults];
}

function findDiffSideFaults(side: unknown, path: Path): Fault[] {
  const faults = makeObjectCheck(SIDE, `must be ${A_SIDE}`)(side, path);
  if (!isRecord(side) || faults.length > 0) return faults;
  const [stated] = Object.values(side);
  return stated !== undefined && Object.keys(side).length === 1
    ? []
    : [{ path, problem: `must be ${A_SIDE}` }];
}
