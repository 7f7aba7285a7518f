/** Checks what a program states as options, as a configuration is checked: from JavaScript they may be anything. */
import type { CompileOptions } from './compile.ts';
import { type Fault, faultWords } from './config/fault.ts';
import { sourcesCheck } from './config/parse-sources.ts';
import { routeRules } from './config/route-rules.ts';
import { CHECKS, DOCUMENT_CHECKS } from './config/settings.ts';
import { type Check, flag, mapOf, memberFaults, must, text, unknownMembers } from './config/shape.ts';
import type { DiagnosticCollector } from './diagnostics/collector.ts';
import type { GenerateOptions } from './generate.ts';
import { isRecord } from './is-record.ts';

const words = must((value) => typeof value === 'string', 'must be a text');
const func = must((value) => typeof value === 'function', 'must be a function');
const object = must(isRecord, 'must be an object');
const count = must(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  'must be a whole number above 0',
);
/** What is wrong with the functions is said when they are loaded. */
const functions = must(
  (value) => typeof value === 'string' || isRecord(value),
  'must be the path of a module, or an object of functions',
);

/** Rules stand in options as such: a program reads a file of them itself. */
const OF_DOCUMENT: Record<string, Check> = { ...DOCUMENT_CHECKS, routeMap: routeRules, routeMapFile: text };

const SETTINGS: Record<keyof GenerateOptions, Check> = {
  ...OF_DOCUMENT,
  ...CHECKS,
  routeMap: routeRules,
  routeMapFile: text,
  source: words,
  sources: () => [],
  hooks: functions,
  helpers: functions,
  prefix: words,
  descriptionBudget: count,
  outputSchemaLimit: count,
  nameLock: mapOf(words, 'must be an object of texts'),
  rename: flag,
  cwd: words,
  dir: words,
  beside: words,
  stdin: func,
  fetch: func,
  onStage: func,
  limits: object,
  signal: object,
  observer: object,
  memory: object,
  env: object,
  variables: object,
  outer: object,
  configText: words,
  configFile: words,
  dryRun: flag,
  check: flag,
  force: flag,
  keep: flag,
  merge: flag,
  skip: flag,
};

/** What a file of JSON says to editors may come with what it says to us. */
const KNOWN = ['$schema', ...Object.keys(SETTINGS)];

/** Whether options can be used. What is wrong with them is reported, all of it, in the words that a configuration gets. */
export function checkOptions(
  options: CompileOptions,
  call: 'compile' | 'generate' | 'draftOverlay',
  diagnostics: DiagnosticCollector,
): boolean {
  const faults = optionFaults(options);
  for (const fault of faults) diagnostics.report('invalid-options', { call, problem: faultWords(fault) });
  return faults.length === 0;
}

function optionFaults(options: unknown): Fault[] {
  if (!isRecord(options)) return [{ path: [], problem: 'is not an object' }];
  const sources = sourcesCheck(OF_DOCUMENT, options['maxNameLength']);
  const unknown = unknownMembers(options, KNOWN, []);
  const missing: Fault = {
    path: [],
    problem:
      'has no "source": the document to compile, or what messages call what "typescript" or "sources" names',
  };
  return [
    ...unknown,
    // A misspelt member may be the one.
    ...(options['source'] === undefined && unknown.length === 0 ? [missing] : []),
    ...memberFaults(options, { ...SETTINGS, sources }, []),
  ];
}
