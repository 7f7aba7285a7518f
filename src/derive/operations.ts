/** Derives a tool, a resource or template, or both, for each selected operation. */
import type { CompletionBinding } from '../../templates/runtime/contract/bindings.ts';
import type { Resource, ResourceTemplate, Tool } from '../model/server-model.ts';
import { completeTemplate } from './prompts/completions.ts';
import { groupBy } from '../util/group-by.ts';
import { deriveHttpBinding } from './http-binding.ts';
import { type DeriveContext, deriveTool, type Prepared, prepareOperation } from './operation.ts';
import { operationKey } from './operation-key.ts';
import {
  bindResource,
  type NotReadable,
  type ReadableShape,
  shapeOfResource,
} from './resources/resources.ts';
import type { Selected } from './selection.ts';
import { definedMembers } from '../util/defined-members.ts';

export interface OperationSurface {
  tools: Tool[];
  resources: Resource[];
  resourceTemplates: ResourceTemplate[];
  completions: CompletionBinding[];
}

interface Item {
  selected: Selected;
  prepared: Prepared;
  shape: ReadableShape | NotReadable;
}

export function deriveOperations(
  selected: readonly Selected[],
  scheme: string,
  context: DeriveContext,
): OperationSurface {
  const surface: OperationSurface = { tools: [], resources: [], resourceTemplates: [], completions: [] };
  const items = selected.map((each) => makeItem(each, scheme, context));
  refuseDuplicates(items);
  for (const item of items) {
    reportUnreadable(item, context);
    const { selected: each, prepared, shape } = item;
    const isReadable = 'uri' in shape;
    const tool = each.tool || !isReadable ? deriveTool(prepared, context) : undefined;
    if (tool !== undefined) surface.tools.push(tool);
    if (isReadable) addReadable(surface, prepared, shape, tool);
  }
  return surface;
}

function makeItem(selected: Selected, scheme: string, context: DeriveContext): Item {
  const prepared = prepareOperation(selected.operation, context);
  const shape =
    selected.resource === 'no'
      ? { because: '' }
      : shapeOfResource(selected.operation, prepared.args.list, scheme, context.views.input);
  return { selected, prepared, shape };
}

/** Several operations may have one URI (`{pet-id}` and `{pet_id}`). The first by method and path keeps it. */
function refuseDuplicates(items: readonly Item[]): void {
  const readable = items.filter(({ shape }) => 'uri' in shape);
  for (const group of groupBy(readable, ({ shape }) => ('uri' in shape ? shape.uri : '')).values()) {
    if (group.length < 2) continue;
    const [first, ...others] = group.toSorted((a, b) => (itemKey(a) < itemKey(b) ? -1 : 1));
    if (first === undefined) continue;
    for (const other of others)
      other.shape = { because: `\`${itemKey(first)}\` has the same URI`, isExpected: true };
  }
}

function itemKey({ selected }: Item): string {
  return operationKey(selected.operation);
}

/** Reports only resources that somebody asked for, or that the rules suggest. */
function reportUnreadable({ selected, shape }: Item, { diagnostics }: DeriveContext): void {
  if ('uri' in shape || selected.resource === 'no') return;
  const parameters = { operation: operationKey(selected.operation), because: shape.because };
  const at = selected.operation.origin;
  if (selected.resource === 'wanted') diagnostics.report('not-a-resource', parameters, { at });
  else if (shape.isExpected === true) diagnostics.report('resource-left-out', parameters, { at });
}

function addReadable(
  surface: OperationSurface,
  prepared: Prepared,
  shape: ReadableShape,
  tool: Tool | undefined,
): void {
  const { operation, name, text } = prepared;
  const work = tool === undefined ? deriveHttpBinding(prepared, false) : { kind: 'tool' as const, name };
  const { icons } = operation.xMcp ?? {};
  const listed = {
    name,
    ...text,
    ...definedMembers({ mimeType: shape.mimeType, icons }),
    binding: bindResource(shape, work, prepared),
    origin: operation.origin,
  };
  if (shape.kind === 'resource') surface.resources.push({ uri: shape.uri, ...listed });
  else {
    surface.resourceTemplates.push({ uriTemplate: shape.uri, ...listed });
    surface.completions.push(...completeTemplate(shape.uri, shape.variables));
  }
}
