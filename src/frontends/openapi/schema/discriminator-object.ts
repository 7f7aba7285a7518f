import type { LoadedDocument } from '../load/loaded-document.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import type { Resolver } from '../reference/resolver.ts';
import {
  type RecordNode,
  type SourceNode,
  identityOf,
  isRecordNode,
  memberOf,
} from '../reference/source-node.ts';
import { findComponent } from './components.ts';

export interface Choice {
  node: SourceNode;
  values: string[];
}

export interface Discriminator {
  property: string;
  /** The schemas of the mapping by their identity, in the document's order. */
  mapping: Map<string, Choice>;
  values: Set<unknown>;
  /** OpenAPI 3.2: a branch accepts all other values. */
  hasDefault: boolean;
}

/** Undefined if no property is named. */
export function readDiscriminator(
  resolver: Resolver,
  entry: LoadedDocument,
  schema: RecordNode,
): Discriminator | undefined {
  const written = memberOf(schema, 'discriminator');
  // Swagger 2.0 has the property's name only.
  if (typeof written.value === 'string')
    return { property: written.value, mapping: new Map(), values: new Set(), hasDefault: false };
  if (!isRecordNode(written) || typeof written.value.propertyName !== 'string') return undefined;
  const { propertyName, defaultMapping } = written.value;
  const mapping = readMapping(resolver, entry, written);
  return {
    property: propertyName,
    mapping,
    values: new Set([...mapping.values()].flatMap((choice) => choice.values)),
    hasDefault: defaultMapping !== undefined,
  };
}

/** Values of the mapping replace the schema's name. */
function readMapping(
  resolver: Resolver,
  entry: LoadedDocument,
  discriminator: RecordNode,
): Discriminator['mapping'] {
  const mapping: Discriminator['mapping'] = new Map();
  const written = memberOf(discriminator, 'mapping');
  if (!isRecordNode(written)) return mapping;
  for (const [value, target] of Object.entries(written.value)) {
    const named = findNamed(resolver, entry, written, target);
    const node = named && resolver.follow(named);
    if (named === undefined || node === undefined) continue;
    const choice = mapping.get(identityOf(node)) ?? { node, values: [] };
    choice.values.push(value);
    mapping.set(identityOf(node), choice);
  }
  return mapping;
}

function findNamed(
  resolver: Resolver,
  entry: LoadedDocument,
  from: SourceNode,
  name: unknown,
): SourceNode | undefined {
  const component =
    typeof name === 'string' ? (findComponent(from.document, name) ?? findComponent(entry, name)) : undefined;
  return component ?? resolver.target(from, name, 'mapping');
}

export function nameOf(node: SourceNode): string {
  const last = pointerTokens(node.pointer).at(-1);
  return last ?? node.document.file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}
