/** Attaches functions that list a template's resources, or prepare a tool's calls. */
import type { Capability, FunctionResource, FunctionTool } from '../../../model/source-model.ts';
import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import { type Tag, wordOf } from '../tags/read-block.ts';
import { type ItemContext, refuseHelper } from './item.ts';
import { listerOf } from './read-list.ts';
import { preparerOf } from './read-prepare.ts';
import type { Tagged } from './tagged.ts';

/** An item, and the function it was read from. */
export interface Read {
  capability: Capability;
  tagged: Tagged;
}

export function readHelper(tagged: Tagged, tag: Tag, read: readonly Read[], context: ItemContext): void {
  if (tag.name === 'list') attachLister(tagged, tag, read, context);
  if (tag.name === 'prepare') attachPreparer(tagged, tag, read, context);
}

function attachLister(tagged: Tagged, tag: Tag, read: readonly Read[], context: ItemContext): void {
  const templates = read.flatMap(({ capability }) => (isTemplate(capability) ? [capability] : []));
  const named = (template: FunctionResource): string[] => [template.uri, template.name];
  const target = templates.find((each) => named(each).includes(wordOf(tag)));
  if (target === undefined) return refuseTarget(tag, 'resource template', templates.flatMap(named), context);
  if (target.list !== undefined) refuseHelper(tagged, tag, 'another function has the same', context);
  const list = listerOf(tagged, tag, target, context);
  if (list !== undefined) target.list ??= list;
}

function attachPreparer(tagged: Tagged, tag: Tag, read: readonly Read[], context: ItemContext): void {
  const tools = read.flatMap((each) =>
    isTool(each.capability) ? [{ tool: each.capability, of: each.tagged }] : [],
  );
  const found = tools.find(({ tool }) => tool.name === wordOf(tag));
  if (found === undefined)
    return refuseTarget(
      tag,
      'tool',
      tools.map(({ tool }) => tool.name),
      context,
    );
  const { tool, of } = found;
  if (tool.prepare !== undefined) refuseHelper(tagged, tag, 'another function has the same', context);
  const prepare = preparerOf(tagged, tag, { tool, tagged: of }, context);
  if (prepare !== undefined) tool.prepare ??= prepare;
}

function isTemplate(capability: Capability): capability is FunctionResource {
  return capability.kind === 'function-resource' && capability.uri.includes('{');
}

function isTool(capability: Capability): capability is FunctionTool {
  return capability.kind === 'function-tool';
}

function refuseTarget(tag: Tag, wanted: string, known: readonly string[], { source }: ItemContext): void {
  // A tag without one word has been reported already.
  if (!/^\S+$/.test(tag.text)) return;
  const meant = suggest(wordOf(tag), known) ?? '';
  const values = { tag: tag.name, target: wordOf(tag), wanted, meant };
  source.diagnostics.report('helper-without-target', values, { at: source.originOfTag(tag) });
}
