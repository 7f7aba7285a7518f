// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes an instance that can be served from a definition, its data and the settings. */
import type { Audit } from '../core/call.ts';
import { CatalogStore } from '../core/catalog-store.ts';
import { createServer, type ServerInstance } from '../core/server-instance.ts';
import type { FunctionModules, ServerDefinition } from '../definition.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { checkHandlers } from './check-handlers.ts';
import type { Settings } from './settings.ts';
import { type ProcessContext, readGenerated, readStack } from './process-context.ts';

/** Loads data and code before there is a client, who could do nothing about their faults. */
export async function openProject(
  definition: ServerDefinition,
  settings: Settings,
  { host, tell, report, watch }: ProcessContext,
  predecessor: ServerInstance | undefined,
  audit: Audit | undefined,
): Promise<ServerInstance> {
  const { generated, handlers = {}, functions } = definition;
  const catalog = new CatalogStore(readGenerated(generated, 'catalog.json'));
  await checkHandlers(handlers, catalog, definition);
  if (functions !== undefined && !settings.mock) await loadModules(functions);
  const server = createServer({
    definition,
    catalog,
    readBindings: () => readGenerated(generated, 'bindings.json'),
    env: host.env,
    limits: DEFAULT_LIMITS,
    upstreamLimits: settings.upstreamLimits,
    baseUrl: settings.baseUrl,
    filesRoot: settings.filesRoot,
    readMock: settings.mock ? () => readGenerated(generated, 'mock.json') : undefined,
    pageSize: settings.pageSize,
    report,
    audit,
    isReplaceable: watch !== undefined,
    ...(predecessor === undefined ? {} : { bus: predecessor.bus, state: predecessor.state }),
  });
  if (settings.include.length + settings.exclude.length > 0) {
    const { selectItems } = await import('./selection.ts');
    for (const words of selectItems(catalog, await server.bindings(), settings)) tell(`warning: ${words}`);
  }
  return server;
}

/** @throws {Error} with the errors of all modules that can't be loaded */
async function loadModules({ modules }: FunctionModules): Promise<void> {
  const faults = new Map<unknown, string>();
  for (const [name, load] of Object.entries(modules)) {
    try {
      await load();
    } catch (thrown) {
      // Several modules fail by the same error if they import the module that fails.
      if (!faults.has(thrown)) faults.set(thrown, `${name} can't be loaded. ${readStack(thrown)}`);
    }
  }
  if (faults.size === 0) return;
  throw new Error([...faults.values()].join('\n'), { cause: [...faults.keys()][0] });
}
