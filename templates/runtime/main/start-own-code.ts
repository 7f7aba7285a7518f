// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Gives the project's own code the running server, before the first message is read. */
import { loadFunctions, makeToolEntry } from '../core/call-tool.ts';
import {
  putItem,
  removeItem,
  toListedPrompt,
  toListedResource,
  toListedTool,
} from '../core/catalog-store.ts';
import { type ServerInstance, declaredCapabilities } from '../core/server-instance.ts';
import type { ServerEvent } from '../core/session.ts';
import type { Ending, ServerHandle } from '../definition.ts';
import { promptFaults, resourceFaults } from './check-items.ts';
import { ownToolFaults } from './check-tools.ts';
import { readStack } from './process-context.ts';

/**
 * Runs `started` of the handlers, then the functions that are to run at the start, in their order.
 *
 * @returns an ending that undoes these, the last first
 * @throws {Error} with the place of the failure, after undoing the earlier ones
 */
export async function startOwnCode(instance: ServerInstance): Promise<Ending> {
  const server = await createServerHandle(instance);
  const ends: Ending[] = [];
  const end = async (): Promise<void> => {
    for (const each of ends.splice(0).reverse()) await each();
  };
  const start = async (name: string, begin: () => unknown): Promise<void> => {
    try {
      const ending = await begin();
      if (typeof ending === 'function') ends.push(ending as Ending);
    } catch (thrown) {
      throw new Error(`${name} failed. ${readStack(thrown)}`, { cause: thrown });
    }
  };
  try {
    const { started: ofHandlers } = instance.handlers;
    await start('`started` of src/handlers/', () => ofHandlers?.(server));
    if (instance.functions?.started !== true) return end;
    const functions = await loadFunctions(instance);
    const { started = [] } = await instance.bindings();
    for (const binding of started)
      await start(`${binding.method ?? binding.export} of ${binding.module}`, async () =>
        functions.start(binding, server),
      );
    return end;
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

/** The handle that `started` gets: it changes the lists of a running server, and its clients are notified. */

type List = Extract<ServerEvent, { kind: 'list-changed' }>['list'];

/** Fixes the capabilities that the server declares: from now on only kinds that it has can be added to. */
export async function createServerHandle(server: ServerInstance): Promise<ServerHandle> {
  const { bus, catalog, handlers, cache } = server;
  const declared = await declaredCapabilities(server);
  const check = (kind: List | 'tasks', faults: Iterable<string> = []): void => {
    if (!declared.has(kind))
      throw new Error(
        `The server had no ${kind} when it started, so its clients were told of none and would not look. ` +
          `Give it one in src/handlers/, and others can be added to it.`,
      );
    const words = [...faults];
    if (words.length > 0) throw new Error(words.join('\n'));
  };
  const remove = (list: List, key: string, forget: () => void): boolean => {
    if (!removeItem(catalog, list, key)) return false;
    forget();
    notify(server, list);
    return true;
  };
  return {
    resourceUpdated: (uri) => bus.publish({ kind: 'resource-updated', uri }),
    resourcesChanged: () => notify(server, 'resources'),
    addTool: (tool) => {
      const taken = new Set(catalog.items('tools').map(({ name }) => name));
      check('tools', ownToolFaults('`addTool`', tool, taken, server.features));
      if ((tool.execution?.taskSupport ?? 'forbidden') !== 'forbidden') check('tasks');
      const listed = toListedTool(tool);
      handlers.extraTools = [...(handlers.extraTools ?? []), tool];
      putItem(catalog, 'tools', listed);
      cache.tools?.set(tool.name, makeToolEntry(listed, handlers));
      notify(server, 'tools');
    },
    removeTool: (name) =>
      remove('tools', name, () => {
        handlers.extraTools = handlers.extraTools?.filter((tool) => tool.name !== name) ?? [];
        cache.tools?.delete(name);
      }),
    addPrompt: (name, prompt) => {
      check('prompts', promptFaults({ [name]: prompt }));
      const listed = toListedPrompt(name, prompt);
      handlers.prompts = { ...handlers.prompts, [name]: prompt };
      putItem(catalog, 'prompts', listed);
      cache.prompts?.set(name, listed);
      notify(server, 'prompts');
    },
    removePrompt: (name) =>
      remove('prompts', name, () => {
        handlers.prompts = without(handlers.prompts, name);
        cache.prompts?.delete(name);
      }),
    addResource: (uri, resource) => {
      check('resources', resourceFaults({ [uri]: resource }));
      handlers.resources = { ...handlers.resources, [uri]: resource };
      putItem(catalog, 'resources', toListedResource(uri, resource));
      notify(server, 'resources');
    },
    removeResource: (uri) =>
      remove('resources', uri, () => (handlers.resources = without(handlers.resources, uri))),
  };
}

/** Drops the list's texts, which are out of date, and notifies clients. */
function notify({ bus, cache }: ServerInstance, list: List): void {
  for (const key of cache.texts?.keys() ?? []) if (key.startsWith(`${list} `)) cache.texts?.delete(key);
  bus.publish({ kind: 'list-changed', list });
}

function without<T>(items: Readonly<Record<string, T>> = {}, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(items).filter(([name]) => name !== key));
}
