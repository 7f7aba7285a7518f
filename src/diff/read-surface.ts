/** Reads the surface of an emitted project, or a model that `mcpgen inspect --json` printed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, parsePooledJson } from '../../templates/runtime/contract/json-value.ts';
import type { ResourceBinding } from '../../templates/runtime/contract/bindings.ts';
import {
  type JsonSchema,
  type ObjectSchema,
  SURFACE_TOOLS,
} from '../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { BINDINGS, readKnownOrigins, readLockedDecisions } from '../emit/index.ts';
import { readLock } from '../write/index.ts';
import { addSharedDefs } from '../model/shared-schemas.ts';
import type { ServerModel } from '../model/server-model.ts';
import { listAnswerRulePaths } from './compare-answers.ts';
import {
  type Surface,
  type SurfacePrompt,
  type SurfaceTemplate,
  type SurfaceTool,
  isModel,
  isSurface,
  makeTemplateInputSchema,
} from './surface.ts';
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
  const lock = await readLock(dir, diagnostics);
  const { names = {}, package: manifest } = lock ?? {};
  if (diagnostics.found.slice(count).some(({ severity }) => severity === 'error')) return undefined;
  const file = join(dir, CATALOG);
  const catalog = existsSync(file) ? tryParsePooled(readFileSync(file, 'utf8')) : undefined;
  if (!isSurface(catalog)) {
    const problem = existsSync(file) ? `its ${CATALOG} is not as mcpgen writes it` : `it has no ${CATALOG}`;
    diagnostics.report('no-surface', { source: label, problem });
    return undefined;
  }
  const keys = new Map(Object.entries(names).map(([key, name]) => [name, key]));
  // Models do not have the tools that find others. Before these names were reserved, an operation could have one.
  const tools = catalog.tools.flatMap((tool) => {
    const key = keys.get(tool.name);
    if (key !== undefined) return [{ ...tool, key }];
    return SURFACE_TOOLS.includes(tool.name) ? [] : [tool];
  });
  const bindingsFile = join(dir, BINDINGS);
  const text = existsSync(bindingsFile) ? readFileSync(bindingsFile, 'utf8') : undefined;
  // The bindings have the schemas of prompts' arguments and of templates' variables, which are not listed.
  const read = text === undefined ? undefined : tryParsePooled(text);
  const bindings = isRecord(read) ? read : {};
  const origins = readKnownOrigins(lock, text)?.origins;
  const prompts = addPromptInputs(catalog.prompts, bindings);
  const whole = { ...catalog, tools: addPins(tools, dir).map((tool) => addBindingFacts(tool, bindings)) };
  const resourceTemplates = addTemplateInputs(whole, bindings);
  const [command] = isRecord(manifest?.['bin']) ? Object.keys(manifest['bin']) : [];
  return {
    surface: {
      ...whole,
      resourceTemplates,
      prompts,
      ...omitUndefined({ command, origins, surface: lock?.surface }),
    },
    ...(lock && { locked: readLockedDecisions(lock) }),
  };
}

function getOwnMember(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Marks the tools that the index of a search surface lists as pinned. */
function addPins(tools: readonly SurfaceTool[], dir: string): readonly SurfaceTool[] {
  const file = join(dir, 'src/generated/search.json');
  const pinned = existsSync(file) ? getOwnMember(tryParsePooled(readFileSync(file, 'utf8')), 'pinned') : [];
  if (!Array.isArray(pinned) || pinned.length === 0) return tools;
  return tools.map((tool) => (pinned.includes(tool.name) ? { ...tool, pin: true } : tool));
}

/** Adds what is bound and not listed. A tool is compared by all that its server accepts and returns. */
function addBindingFacts(listed: SurfaceTool, bindings: Record<string, unknown>): SurfaceTool {
  const bound = getOwnMember(bindings['tools'], listed.name);
  const input = getOwnMember(bound, 'input');
  const work = getOwnMember(bound, 'do');
  const tool = isRecord(work) ? { ...listed, answer: listAnswerRulePaths(work['result'] ?? {}) } : listed;
  if (!isObjectSchema(input)) return tool;
  const namedSchemas = isRecord(bindings['schemas'])
    ? (bindings['schemas'] as Record<string, JsonSchema>)
    : {};
  return { ...tool, inputSchema: addSharedDefs(input, namedSchemas) };
}

function addTemplateInputs(
  { resourceTemplates, tools }: Surface,
  bindings: Record<string, unknown>,
): SurfaceTemplate[] {
  const inputs = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  return resourceTemplates.map((template) => {
    const binding = getOwnMember(bindings['resourceTemplates'], template.uriTemplate);
    if (!isResourceBinding(binding)) return template;
    return { ...template, input: makeTemplateInputSchema(template.uriTemplate, binding, inputs) };
  });
}

/** Checks only the kind of a binding; mcpgen wrote the file, so the rest is trusted. */
function isResourceBinding(value: unknown): value is ResourceBinding {
  return typeof getOwnMember(getOwnMember(value, 'do'), 'kind') === 'string';
}

function addPromptInputs(prompts: SurfacePrompt[], bindings: Record<string, unknown>): SurfacePrompt[] {
  return prompts.map((prompt) => {
    const input = getOwnMember(getOwnMember(bindings['prompts'], prompt.name), 'input');
    return isObjectSchema(input) ? { ...prompt, input } : prompt;
  });
}

function isObjectSchema(value: unknown): value is ObjectSchema {
  return isRecord(value) && value['type'] === 'object';
}

/** Parses a model; `undefined` if the text is none. */
export function parseModel(text: string): ServerModel | undefined {
  const value = tryParsePooled(text);
  return isModel(value) ? value : undefined;
}

function tryParsePooled(text: string): unknown {
  try {
    return parsePooledJson(text);
  } catch {
    return undefined;
  }
}
