// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The handle that `started` gets: it changes the lists of a running server, and its clients are notified. */
import type { ServerEvent } from '../core/session.ts';
import { declaredCapabilities } from '../core/capabilities.ts';
import { putItem, removeItem, toListedPrompt, toListedResource, toListedTool } from '../core/own-items.ts';
import { toolParts } from '../core/tools/tool-entry.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { ServerHandle } from '../definition.ts';
import { promptFaults, resourceFaults } from './check-items.ts';
import { ownToolFaults } from './check-tools.ts';

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
      cache.tools?.set(tool.name, toolParts(listed, handlers));
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
