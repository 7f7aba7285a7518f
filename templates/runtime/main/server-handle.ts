/** What `started` is handed: changes of a running server's lists, told to its clients. */
import type { ServerEvent } from '../core/session.ts';
import { type Capability, declaredCapabilities } from '../core/capabilities.ts';
import { putItem, removeItem, toListedPrompt, toListedResource, toListedTool } from '../core/own-items.ts';
import { toolParts } from '../core/tools/tool-entry.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { ExtraTool, ServerHandle } from '../definition.ts';
import { promptFaults, resourceFaults } from './check-items.ts';
import { ownToolFaults } from './check-tools.ts';

type Changing = Extract<ServerEvent, { kind: 'list-changed' }>['list'];

/** Settles what the server declares: from now on only kinds that it has can be added to. */
export async function createServerHandle(server: ServerInstance): Promise<ServerHandle> {
  const declared = await declaredCapabilities(server);
  const check: Check = (kind, faults) => refuse(declared, kind, faults);
  return {
    resourceUpdated: (uri) => server.bus.publish({ kind: 'resource-updated', uri }),
    resourcesChanged: () => changed(server, 'resources'),
    ...toolChanges(server, check),
    ...promptChanges(server, check),
    ...resourceChanges(server, check),
  };
}

type Check = (kind: Changing | 'tasks', faults: Iterable<string>) => void;

function toolChanges(server: ServerInstance, check: Check): Pick<ServerHandle, 'addTool' | 'removeTool'> {
  const { catalog, handlers, cache } = server;
  return {
    addTool: (tool) => {
      const taken = new Set(catalog.items('tools').map(({ name }) => name));
      check('tools', ownToolFaults('`addTool`', tool, taken, server.features));
      if (mayBeTask(tool)) check('tasks', []);
      const listed = toListedTool(tool);
      handlers.extraTools = [...(handlers.extraTools ?? []), tool];
      putItem(catalog, 'tools', listed);
      cache.tools?.set(tool.name, toolParts(listed, handlers));
      changed(server, 'tools');
    },
    removeTool: (name) => {
      if (!removeItem(catalog, 'tools', name)) return false;
      handlers.extraTools = handlers.extraTools?.filter((tool) => tool.name !== name) ?? [];
      cache.tools?.delete(name);
      changed(server, 'tools');
      return true;
    },
  };
}

function promptChanges(
  server: ServerInstance,
  check: Check,
): Pick<ServerHandle, 'addPrompt' | 'removePrompt'> {
  const { catalog, handlers, cache } = server;
  return {
    addPrompt: (name, prompt) => {
      check('prompts', promptFaults({ [name]: prompt }));
      const listed = toListedPrompt(name, prompt);
      handlers.prompts = { ...handlers.prompts, [name]: prompt };
      putItem(catalog, 'prompts', listed);
      cache.prompts?.set(name, listed);
      changed(server, 'prompts');
    },
    removePrompt: (name) => {
      if (!removeItem(catalog, 'prompts', name)) return false;
      handlers.prompts = without(handlers.prompts, name);
      cache.prompts?.delete(name);
      changed(server, 'prompts');
      return true;
    },
  };
}

function resourceChanges(
  server: ServerInstance,
  check: Check,
): Pick<ServerHandle, 'addResource' | 'removeResource'> {
  const { catalog, handlers } = server;
  return {
    addResource: (uri, resource) => {
      check('resources', resourceFaults({ [uri]: resource }));
      handlers.resources = { ...handlers.resources, [uri]: resource };
      putItem(catalog, 'resources', toListedResource(uri, resource));
      changed(server, 'resources');
    },
    removeResource: (uri) => {
      if (!removeItem(catalog, 'resources', uri)) return false;
      handlers.resources = without(handlers.resources, uri);
      changed(server, 'resources');
      return true;
    },
  };
}

function mayBeTask({ execution }: ExtraTool): boolean {
  return execution?.taskSupport === 'optional' || execution?.taskSupport === 'required';
}

/** The texts made of the list are out of date, and so is what clients know. */
function changed({ bus, cache }: ServerInstance, list: Changing): void {
  for (const key of cache.texts?.keys() ?? []) if (key.startsWith(`${list} `)) cache.texts?.delete(key);
  bus.publish({ kind: 'list-changed', list });
}

function without<T>(items: Readonly<Record<string, T>> = {}, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(items).filter(([name]) => name !== key));
}

/** @throws {Error} with all that keeps the item from being added */
function refuse(declared: ReadonlySet<Capability>, kind: Changing | 'tasks', faults: Iterable<string>): void {
  if (!declared.has(kind)) {
    throw new Error(
      `The server had no ${kind} when it started, so its clients were told of none and would not look. ` +
        `Give it one in src/handlers/, and others can be added to it.`,
    );
  }
  const words = [...faults];
  if (words.length > 0) throw new Error(words.join('\n'));
}
