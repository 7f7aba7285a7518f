/** A ServerModel as a page of text for a person. */
import { bindingKey } from '../model/operation-key.ts';
import { type Paint, visible } from '../diagnostics/render/terminal-text.ts';
import type { ListingCost } from '../api/inspect.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { formatCount, plural, formatSection } from './words.ts';

export function renderModel(model: ServerModel, cost: ListingCost, paint: Paint): string {
  const { name, version, title, tools, resources, resourceTemplates, prompts } = model;
  const counts = [
    plural(tools.length, 'tool'),
    plural(resources.length, 'resource'),
    plural(resourceTemplates.length, 'resource template'),
    plural(prompts.length, 'prompt'),
  ];
  const size = `tools/list takes ${formatCount(cost.bytes)} bytes, about ${formatCount(cost.tokens)} tokens`;
  const rows: Record<string, string[][]> = {
    Tools: tools.map((tool, index) => toolRow(tool, cost.tools[index]?.tokens ?? 0)),
    'Bodies sent as one of several media types': tools.flatMap(bodyRow),
    Resources: resources.map(({ uri, mimeType = '' }) => [uri, mimeType]),
    'Resource templates': resourceTemplates.map(({ uriTemplate, mimeType = '' }) => [uriTemplate, mimeType]),
    Prompts: prompts.map((one) => [one.name, (one.arguments ?? []).map((each) => each.name).join(', ')]),
  };
  const sections = Object.entries(rows).map(([heading, cells]) => formatSection(heading, cells, paint));
  const heading = `${paint('bold', visible(name))} ${visible(version)} · ${visible(title)}`;
  const head = `${heading}\n${counts.join(' · ')} · ${size}\n`;
  return [head, ...sections.filter((text) => text !== '')].join('\n');
}

function toolRow({ name, binding, annotations = {} }: Tool, tokens: number): string[] {
  const { readOnlyHint: isReadOnly = false, destructiveHint = false, idempotentHint = false } = annotations;
  const hints = [
    ...(isReadOnly ? ['read-only'] : destructiveHint ? ['destructive'] : []),
    ...(!isReadOnly && idempotentHint ? ['idempotent'] : []),
  ];
  return [name, bindingKey(binding), `${formatCount(tokens)} tokens`, hints.join(', ')];
}

/** Rows only for tools whose request body the document offers in other media types, too. */
function bodyRow({ name, binding }: Tool): string[][] {
  const { mediaType = '', alternatives = [] } = (binding.kind === 'http' ? binding.body : undefined) ?? {};
  return alternatives.length === 0 ? [] : [[name, mediaType, `also offered: ${alternatives.join(', ')}`]];
}
