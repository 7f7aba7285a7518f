/** Prints `src/generated/bindings.json`; its layout is described in `print-lines.ts`. */
import type { ToolBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import { printItem, printList, printMap, printMembers } from './print-lines.ts';
import { definedMembers } from '../../util/collections.ts';

export function printBindings(model: ServerModel): string {
  const { tools, resources, resourceTemplates, prompts, completions, codecs, started } = model;
  const { upstream, upstreams } = model;
  return printMembers([
    ...(upstream === undefined ? [] : [`"upstream":${JSON.stringify(upstream)}`]),
    ...(upstreams === undefined
      ? []
      : [
          printList(
            'upstreams',
            upstreams.map((each) => printItem(each)),
          ),
        ]),
    printMap(
      'tools',
      tools.map((tool) => [tool.name, bindTool(tool)]),
    ),
    printMap(
      'resources',
      resources.map(({ uri, binding }) => [uri, binding]),
    ),
    printMap(
      'resourceTemplates',
      resourceTemplates.map(({ uriTemplate, binding }) => [uriTemplate, binding]),
    ),
    printMap(
      'prompts',
      prompts.map(({ name, binding }) => [name, binding]),
    ),
    printList('completions', completions.map(printItem)),
    ...(codecs === undefined ? [] : [printMap('codecs', Object.entries(codecs))]),
    ...(started === undefined ? [] : [printList('started', started.map(printItem))]),
  ]);
}

function bindTool({ binding, prepare, scopes, tags }: Tool): ToolBinding {
  return {
    do: binding,
    ...definedMembers({ prepare }),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}
