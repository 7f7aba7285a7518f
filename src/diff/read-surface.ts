/** What was written down before: by an emitted project, or by `mcpgen inspect --json`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectSchema } from '../../templates/runtime/schema/json-schema.ts';
import type { NameLock } from '../derive/index.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { rememberedNames } from '../emit/index.ts';
import { readLock } from '../write/index.ts';
import type { ServerModel } from '../model/server-model.ts';
import { isRecord } from '../is-record.ts';
import { isModel, isSurface } from './is-model.ts';
import type { Surface, SurfacePrompt } from './surface.ts';

export interface ProjectSurface {
  surface: Surface;
  /** What `mcpgen.lock` remembers: names that a compilation would keep. */
  names: NameLock;
}

const CATALOG = 'src/generated/catalog.json';
const BINDINGS = 'src/generated/bindings.json';

/** What the project in `dir` (absolute) lists as it stands; `label` is what messages call it. */
export async function projectSurface(
  dir: string,
  label: string,
  diagnostics: DiagnosticCollector,
): Promise<ProjectSurface | undefined> {
  const known = diagnostics.found.length;
  const lock = await readLock(dir, diagnostics);
  const { names = {}, package: manifest } = lock ?? {};
  if (diagnostics.found.length > known) return undefined;
  const file = join(dir, CATALOG);
  const catalog = existsSync(file) ? parsed(readFileSync(file, 'utf8')) : undefined;
  if (!isSurface(catalog)) {
    const problem = existsSync(file) ? `its ${CATALOG} is not as mcpgen writes it` : `it has no ${CATALOG}`;
    diagnostics.report('no-surface', { source: label, problem });
    return undefined;
  }
  const keys = new Map(Object.entries(names).map(([key, name]) => [name, key]));
  const tools = catalog.tools.map((tool) => {
    const key = keys.get(tool.name);
    return key === undefined ? tool : { ...tool, key };
  });
  const prompts = withInputs(catalog.prompts, join(dir, BINDINGS));
  const [command] = isRecord(manifest?.['bin']) ? Object.keys(manifest['bin']) : [];
  return {
    surface: { ...catalog, tools, prompts, ...(command === undefined ? {} : { command }) },
    names: lock === undefined ? {} : rememberedNames(lock),
  };
}

/** The schemas of prompts' arguments are not listed, and stand where the calls are described. */
function withInputs(prompts: SurfacePrompt[], file: string): SurfacePrompt[] {
  const bindings = prompts.length > 0 && existsSync(file) ? parsed(readFileSync(file, 'utf8')) : undefined;
  const known = isRecord(bindings) ? bindings['prompts'] : undefined;
  return prompts.map((prompt) => {
    const binding = isRecord(known) ? known[prompt.name] : undefined;
    const input = isRecord(binding) ? binding['input'] : undefined;
    return isObjectSchema(input) ? { ...prompt, input } : prompt;
  });
}

/** mcpgen wrote it. */
function isObjectSchema(value: unknown): value is ObjectSchema {
  return isRecord(value) && value['type'] === 'object';
}

/** The model in a text; `undefined` where it is something else. */
export function parseModel(text: string): ServerModel | undefined {
  const value = parsed(text);
  return isModel(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
