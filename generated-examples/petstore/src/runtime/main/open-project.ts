/** Makes what a definition, its data and the settings say into a project that can be served. */
import type { Audit } from '../core/call.ts';
import { CatalogStore } from '../core/catalog-store.ts';
import { createServer, type ServerInstance } from '../core/server-instance.ts';
import type { ServerDefinition } from '../definition.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { checkHandlers } from './check-handlers.ts';
import { readGenerated } from './generated-data.ts';
import type { Settings } from './settings.ts';
import type { ProcessContext } from './process-context.ts';

/** Data that is missing or broken is found before there is a client, and so is code. */
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
  if (functions !== undefined && !settings.mock)
    await (await import('./load-functions.ts')).loadFunctions(functions);
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
