/** Prints `src/generated/catalog.json`; its layout is described in `print-lines.ts`. */
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from '../../../templates/runtime/contract/json-schema.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { printItem, printList, printMembers } from './print-lines.ts';

export function printCatalog(model: ServerModel): string {
  return printMembers([
    printList('tools', model.tools.map(printTool)),
    printList('resources', model.resources.map(printResource)),
    printList('resourceTemplates', model.resourceTemplates.map(printTemplate)),
    printList('prompts', model.prompts.map(printPrompt)),
    `"completions":${String(model.completions.length > 0)}`,
  ]);
}

function printTool(tool: ListedTool): string {
  const { name, title, description, icons, inputSchema, outputSchema, annotations, execution } = tool;
  return printItem({
    name,
    title,
    description,
    icons,
    inputSchema,
    outputSchema,
    annotations,
    execution,
  });
}

function printResource(resource: ListedResource): string {
  const { uri, name, title, description, mimeType, icons, annotations, size } = resource;
  return printItem({ uri, name, title, description, mimeType, icons, annotations, size });
}

function printTemplate(template: ListedResourceTemplate): string {
  const { uriTemplate, name, title, description, mimeType, icons, annotations } = template;
  return printItem({ uriTemplate, name, title, description, mimeType, icons, annotations });
}

function printPrompt(prompt: ListedPrompt): string {
  const { name, title, description, icons, arguments: list } = prompt;
  return printItem({ name, title, description, icons, arguments: list });
}
