/** Reads the surface of an emitted project, or a model that `mcpgen inspect --json` printed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryParseJsonExactly } from '../util/try-parse-json.ts';
import { readFileIfAny, readJsonObject } from '../util/read-file.ts';
import { isRecord, ownMember } from '../../templates/runtime/json-rpc.ts';
import type { Bindings } from '../model/bindings.ts';
import { SURFACE_TOOLS } from '../model/listed-items.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { BINDINGS, readKnownOrigins, readLockedDecisions, readNames } from '../emit/index.ts';
import { readLockFile } from '../write/index.ts';
import { addSharedDefs } from '../model/shared-schemas.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type Surface, type SurfaceTool, isModel, isSurface } from './surface.ts';
import { omitUndefined } from '../util/collections.ts';

interface ProjectSurface {
  surface: Surface;
  /** Absent without a lock. */
  locked?: ReturnType<typeof readLockedDecisions>;
}

const CATALOG = 'src/generated/catalog.json';

/** The surface of the project in `dir` (absolute). `label` is its name in messages. */
export async function readProjectSurface(
  dir: string,
  label: string,
  diagnostics: DiagnosticCollector,
): Promise<ProjectSurface | undefined> {
  const count = diagnostics.found.length;
  const { lock } = await readLockFile(dir, diagnostics);
  const { names = {}, package: manifest } = lock ?? {};
  if (diagnostics.found.slice(count).some(({ severity }) => severity === 'error')) return undefined;
  const catalog = readJsonObject(join(dir, CATALOG));
  if (!isSurface(catalog)) {
    const isThere = existsSync(join(dir, CATALOG));
    const problem = isThere ? `its ${CATALOG} is not as mcpgen writes it` : `it has no ${CATALOG}`;
    diagnostics.report('no-surface', { source: label, problem });
    return undefined;
  }
  const keys = new Map(Object.entries(readNames(names)).map(([key, name]) => [name, key]));
  // Models do not have the tools that find others. Before these names were reserved, an operation could have one.
  const tools = catalog.tools.flatMap((tool) => {
    const key = keys.get(tool.name);
    if (key !== undefined) return [{ ...tool, key }];
    return SURFACE_TOOLS.includes(tool.name) ? [] : [tool];
  });
  const bindings: Partial<Bindings> = readJsonObject(join(dir, BINDINGS)) ?? {};
  const [command] = isRecord(manifest?.['bin']) ? Object.keys(manifest['bin']) : [];
  const origins = readKnownOrigins(lock, readFileIfAny(join(dir, BINDINGS)))?.origins;
  return {
    surface: {
      ...catalog,
      tools: addPins(tools, dir).map((tool) => addWholeInput(tool, bindings)),
      ...omitUndefined({ command, origins, surface: lock?.surface }),
    },
    ...(lock && { locked: readLockedDecisions(lock) }),
  };
}

/** Marks the tools that the index of a search surface lists as pinned. */
function addPins(tools: readonly SurfaceTool[], dir: string): readonly SurfaceTool[] {
  const { pinned } = readJsonObject(join(dir, 'src/generated/search.json')) ?? {};
  if (!Array.isArray(pinned) || pinned.length === 0) return tools;
  return tools.map((tool) => (pinned.includes(tool.name) ? { ...tool, pin: true } : tool));
}

/** A large input schema is cut in the catalog, and whole in the bindings. */
function addWholeInput(tool: SurfaceTool, { tools, schemas = {} }: Partial<Bindings>): SurfaceTool {
  const input = ownMember(tools, tool.name)?.input;
  return isRecord(input) ? { ...tool, inputSchema: addSharedDefs(input, schemas) } : tool;
}

/** Parses a model; `undefined` if the text is none. */
export function parseModel(text: string): ServerModel | undefined {
  const value = tryParseJsonExactly(text);
  return isModel(value) ? value : undefined;
}
