import { join } from 'node:path';
import { readJsonObject } from '../util/read-file.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { Binding } from '../model/bindings.ts';
import type { DeriveOptions } from '../derive/index.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  BINDINGS,
  lockPath,
  mapNamesByOperation,
  readLockedDecisions,
  listNameEntries,
  parseNameEntries,
  readNames,
} from '../emit/index.ts';
import { bindingKey } from '../model/operation-key.ts';
import { SEMVER } from '../model/published.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { formatNameList } from '../util/collections.ts';
import { version } from '../util/version.ts';
import type { ExistingProject } from './existing-project.ts';

export type LockedChoices = Required<Pick<DeriveOptions, 'nameLock'>> &
  Pick<DeriveOptions, 'lockedOutputs' | 'lockedSurface'>;

/** Reads choices of earlier runs, which stay. */
export async function readLockedChoices(
  { dir, root, lock, problems }: ExistingProject,
  { rebuildLock = false }: { rebuildLock?: boolean },
  diagnostics: DiagnosticCollector,
): Promise<LockedChoices> {
  if (rebuildLock)
    return { nameLock: parseNameEntries(listNameEntries({ tools: listToolsOfBindings(root) })) };
  diagnostics.include(problems);
  if (lock === undefined) return { nameLock: {} };
  const file = join(dir, lockPath);
  if (lock.isEdited === true) diagnostics.report('lock-edited', { file });
  const { compiler: there } = lock;
  const isNewer = there.localeCompare(version, 'en', { numeric: true }) > 0;
  if (SEMVER.test(there) && isNewer) diagnostics.report('project-of-newer', { file, there, here: version });
  return readLockedDecisions(lock);
}

export interface RenamedTool {
  tool: Tool;
  /** Its name in the project. */
  before: string;
}

export function listRenamedTools(model: ServerModel, { root, lock }: ExistingProject): RenamedTool[] {
  const names = {
    ...readNames(lock?.names ?? {}),
    ...mapNamesByOperation({ tools: listToolsOfBindings(root) }),
  };
  const namesBefore = new Map(Object.entries(names));
  return model.tools.flatMap((tool) => {
    const before = namesBefore.get(bindingKey(tool.binding));
    return before === undefined || before === tool.name ? [] : [{ tool, before }];
  });
}

/**
 * Reports tools that get another name by the configuration or a hook, whose names the lock does not keep, or in the function itself.
 * `derived` has the names of the sources.
 */
export function reportRenamedTools(
  renamedTools: readonly RenamedTool[],
  derived: ServerModel,
  { lock }: ExistingProject,
  diagnostics: DiagnosticCollector,
): void {
  const sourceNames = new Map(Object.entries(mapNamesByOperation(derived)));
  const lockedNames = new Map(Object.entries(readNames(lock?.names ?? {})));
  const unreported = renamedTools.filter(({ tool: { binding } }) => {
    const key = bindingKey(binding);
    // Other names of operations were reported when they were derived.
    return binding.kind !== 'http' || sourceNames.get(key) === lockedNames.get(key);
  });
  const [first] = unreported;
  if (first === undefined) return;
  const list = formatNameList(
    unreported.map(
      ({ tool, before }) => `\`${tool.name}\` for \`${bindingKey(tool.binding)}\` (it was \`${before}\`)`,
    ),
    5,
  );
  diagnostics.report('names-taken', { count: unreported.length, list }, { at: first.tool.origin });
}

function listToolsOfBindings(root: string): { name: string; binding: Binding }[] {
  const { tools } = readJsonObject(join(root, BINDINGS)) ?? {};
  return Object.entries(isRecord(tools) ? tools : {}).flatMap(([name, tool]) => {
    const binding: unknown = isRecord(tool) ? tool['do'] : undefined;
    return isBinding(binding) ? [{ name, binding }] : [];
  });
}

function isBinding(value: unknown): value is Binding {
  if (!isRecord(value)) return false;
  const { kind, api = '', method = '', path, module, export: exported } = value;
  const members = kind === 'http' ? [api, method, path] : [module, exported, method];
  return (kind === 'http' || kind === 'function') && members.every((word) => typeof word === 'string');
}
