/** What `started` is handed: changes of a running server's lists, told to its clients. */
import type { ServerEvent } from '../core/event-bus.ts';
import { type Capability, declaredCapabilities } from '../core/capabilities.ts';
import { putItem, removeItem, toListedPrompt, toListedResource, toListedTool } from '../core/own-items.ts';
import { toolParts } from '../core/tools/tool-parts.ts';
import type { Project } from '../core/project.ts';
import type { ExtraTool, ServerHandle } from '../definition.ts';
import { promptFaults } from './check-prompts.ts';
import { resourceFaults } from './check-resources.ts';
import { ownToolFaults } from './check-tools.ts';

type Changing = Extract<ServerEvent, { kind: 'list-changed' }>['list'];

/** Settles what the server declares: from now on only kinds that it has can be added to. */
export async function createServerHandle(project: Project): Promise<ServerHandle> {
  const declared = await declaredCapabilities(project);
  const check: Check = (kind, faults) => refuse(declared, kind, faults);
  return {
    resourceUpdated: (uri) => project.bus.publish({ kind: 'resource-updated', uri }),
    resourcesChanged: () => changed(project, 'resources'),
    ...toolChanges(project, check),
    ...promptChanges(project, check),
    ...resourceChanges(project, check),
  };
}

type Check = (kind: Changing | 'tasks', faults: Iterable<string>) => void;

function toolChanges(project: Project, check: Check): Pick<ServerHandle, 'addTool' | 'removeTool'> {
  const { catalog, handlers, parts } = project;
  return {
    addTool: (tool) => {
      const taken = new Set(catalog.items('tools').map(({ name }) => name));
      check('tools', ownToolFaults('`addTool`', tool, taken));
      if (mayBeTask(tool)) check('tasks', []);
      const listed = toListedTool(tool);
      handlers.extraTools = [...(handlers.extraTools ?? []), tool];
      putItem(catalog, 'tools', listed);
      parts.tools?.set(tool.name, toolParts(listed, handlers));
      changed(project, 'tools');
    },
    removeTool: (name) => {
      if (!removeItem(catalog, 'tools', name)) return false;
      handlers.extraTools = handlers.extraTools?.filter((tool) => tool.name !== name) ?? [];
      parts.tools?.delete(name);
      changed(project, 'tools');
      return true;
    },
  };
}

function promptChanges(project: Project, check: Check): Pick<ServerHandle, 'addPrompt' | 'removePrompt'> {
  const { catalog, handlers, parts } = project;
  return {
    addPrompt: (name, prompt) => {
      check('prompts', promptFaults({ [name]: prompt }));
      const listed = toListedPrompt(name, prompt);
      handlers.prompts = { ...handlers.prompts, [name]: prompt };
      putItem(catalog, 'prompts', listed);
      parts.prompts?.set(name, listed);
      changed(project, 'prompts');
    },
    removePrompt: (name) => {
      if (!removeItem(catalog, 'prompts', name)) return false;
      handlers.prompts = without(handlers.prompts, name);
      parts.prompts?.delete(name);
      changed(project, 'prompts');
      return true;
    },
  };
}

function resourceChanges(
  project: Project,
  check: Check,
): Pick<ServerHandle, 'addResource' | 'removeResource'> {
  const { catalog, handlers } = project;
  return {
    addResource: (uri, resource) => {
      check('resources', resourceFaults({ [uri]: resource }));
      handlers.resources = { ...handlers.resources, [uri]: resource };
      putItem(catalog, 'resources', toListedResource(uri, resource));
      changed(project, 'resources');
    },
    removeResource: (uri) => {
      if (!removeItem(catalog, 'resources', uri)) return false;
      handlers.resources = without(handlers.resources, uri);
      changed(project, 'resources');
      return true;
    },
  };
}

function mayBeTask({ execution }: ExtraTool): boolean {
  return execution?.taskSupport === 'optional' || execution?.taskSupport === 'required';
}

/** The texts made of the list are out of date, and so is what clients know. */
function changed({ bus, parts }: Project, list: Changing): void {
  for (const key of parts.texts?.keys() ?? []) if (key.startsWith(`${list} `)) parts.texts?.delete(key);
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
