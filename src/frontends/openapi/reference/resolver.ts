import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { percentDecode } from '../../../util/json-value.ts';
import { nearest } from '../../../../templates/runtime/validate.ts';
import type { ReferenceTarget } from '../../../diagnostics/registry/load.ts';
import { type DocumentStore, type Refusal, isLoadedDocument } from '../load/document-store.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import type { Report } from '../report.ts';
import { indexIdentifiers } from './identifier-index.ts';
import { escapePointerToken, pointerTokens } from '../../../util/json-schema.ts';
import {
  type Expected,
  type RecordNode,
  type SourceNode,
  aSchema,
  childNode,
  nodeIdentity,
  memberNode,
  findReferencePlace,
  reportCircle,
  rootNode,
} from './source-node.ts';

const MOST_SUGGESTIONS = 20;

/** A broken reference is reported once, at its first use. */
export class Resolver {
  readonly #store: DocumentStore;
  readonly #report: Report;
  readonly #limit: number;
  readonly #memo = new Map<string, Map<string, SourceNode | undefined>>();
  #references = 0;
  #dangling = 0;

  constructor(store: DocumentStore, report: Report, limit: number) {
    this.#store = store;
    this.#report = report;
    this.#limit = limit;
  }

  followReference(node: SourceNode, expected = aSchema): SourceNode | undefined {
    return isReference(node) ? this.followRef(node, node.value.$ref, isReference, expected) : node;
  }

  /** Follows `ref` of a node, and then each node that `leadsOn`. Undefined after a report. */
  followRef(
    node: RecordNode,
    ref: unknown,
    leadsOn: (node: SourceNode) => node is RecordNode,
    expected: Expected = aSchema,
  ): SourceNode | undefined {
    let at = this.target(node, ref, expected.target);
    // Only a chain of references can be circular, and most have one step.
    if (at === undefined || !leadsOn(at)) return at;
    const path = [node];
    const seen = new Set([nodeIdentity(node)]);
    while (at !== undefined && leadsOn(at)) {
      if (seen.has(nodeIdentity(at))) {
        reportCircle(this.#report, path, at, expected);
        return undefined;
      }
      seen.add(nodeIdentity(at));
      path.push(at);
      at = this.target(at, at.value.$ref, expected.target);
    }
    return at;
  }

  /** `from` is the object that holds `$ref`. */
  target(from: SourceNode, ref: unknown, target: ReferenceTarget = 'schema'): SourceNode | undefined {
    if (typeof ref !== 'string') {
      const reason = 'it is not text';
      const parameters = { ref: JSON.stringify(ref) ?? '', reason, target };
      this.#report('invalid-ref', parameters, { at: findReferencePlace(from, ref) });
      return undefined;
    }
    const base = from.base ?? from.document.uri;
    const memo = this.#memo.get(base) ?? new Map<string, SourceNode | undefined>();
    this.#memo.set(base, memo);
    if (memo.has(ref)) return memo.get(ref);
    memo.set(ref, undefined);
    const resolved = this.#findTarget(from, ref, target);
    memo.set(ref, resolved);
    return resolved;
  }

  #findTarget(from: SourceNode, ref: string, target: ReferenceTarget): SourceNode | undefined {
    this.#references += 1;
    if (this.#references > this.#limit) {
      if (this.#references === this.#limit + 1) {
        const problem = `The document has more than ${this.#limit} different references`;
        this.#report('schema-too-large', { problem }, { at: findReferencePlace(from, ref) });
      }
      return undefined;
    }
    const hash = ref.indexOf('#');
    const address = hash === -1 ? ref : ref.slice(0, hash);
    const rawFragment = hash === -1 ? '' : ref.slice(hash + 1);
    const fragment = percentDecode(rawFragment) ?? rawFragment;
    const resource = this.#findResource(from, address, ref, target);
    if (resource === undefined) return undefined;
    const found = this.#findInResource(resource, fragment);
    if (found === undefined) {
      this.#dangling += 1;
      // The search walks all names, so it is limited.
      const suggestion = this.#dangling > MOST_SUGGESTIONS ? '' : suggestReference(ref, resource, fragment);
      this.#report('dangling-ref', { ref, suggestion, target }, { at: findReferencePlace(from, ref) });
    }
    return found;
  }

  /** Finds the document, or the schema with an `$id`, before `#`. */
  #findResource(
    from: SourceNode,
    address: string,
    ref: string,
    target: ReferenceTarget,
  ): SourceNode | undefined {
    if (address === '' && from.base === undefined) return rootNode(from.document);
    const { document } = from;
    const url = resolveUrlWithoutFragment(address, from.base ?? document.base);
    const embedded = url && this.#findEmbeddedSchema(url.href);
    if (embedded !== undefined) return embedded;
    const opening = this.#openDocument(url, address, document);
    if (isLoadedDocument(opening)) return rootNode(opening);
    this.#reportRefusal(opening, { ref, target }, from);
    return undefined;
  }

  #findEmbeddedSchema(href: string): SourceNode | undefined {
    for (const document of this.#store.documents) {
      const resource = indexIdentifiers(document).resources.get(href);
      if (resource !== undefined) return resource;
    }
    return undefined;
  }

  /** `$self` and `$id` are names, not locations. An unknown name is looked for beside the referring document. */
  #openDocument(url: URL | undefined, address: string, from: LoadedDocument): LoadedDocument | Refusal {
    const beside = resolveUrlWithoutFragment(address, from.uri);
    if (url === undefined || beside === undefined) return { kind: 'invalid', reason: 'it is not a URI' };
    if (url.href === beside.href || this.#store.hasDocument(url)) return this.#store.openDocument(url, from);
    const opening = this.#store.openDocument(beside, from);
    return isLoadedDocument(opening) || opening.kind === 'pending'
      ? opening
      : this.#store.openDocument(url, from);
  }

  #reportRefusal(
    refusal: Refusal,
    reference: { ref: string; target: ReferenceTarget },
    from: SourceNode,
  ): void {
    const place = { at: findReferencePlace(from, reference.ref) };
    switch (refusal.kind) {
      case 'refused-host':
        this.#report('remote-ref-refused', { ...reference, host: refusal.host }, place);
        break;
      case 'outside-root':
        this.#report('ref-outside-root', { ...reference, root: refusal.root }, place);
        break;
      case 'unreadable':
      case 'invalid':
        this.#report('invalid-ref', { ...reference, reason: refusal.reason }, place);
        break;
      case 'pending':
        break;
    }
  }

  #findInResource(resource: SourceNode, fragment: string): SourceNode | undefined {
    if (fragment === '') return resource;
    if (!fragment.startsWith('/')) {
      const { anchors } = indexIdentifiers(resource.document);
      return anchors.get(`${resource.base ?? resource.document.base}#${fragment}`);
    }
    const tokens = pointerTokens(fragment);
    const target = this.#followPointer(resource, tokens);
    // Documents with `$id` often use pointers from the top of the file.
    return (
      target ??
      (resource.pointer === '' ? undefined : this.#followPointer(rootNode(resource.document), tokens))
    );
  }

  #followPointer(start: SourceNode, tokens: readonly string[]): SourceNode | undefined {
    const { bases } = indexIdentifiers(start.document);
    let node = start;
    for (const token of tokens) {
      const next = findChildNode(node, token) ?? this.#followRefToChild(node, token);
      if (next === undefined) return undefined;
      const base = typeof next.value === 'object' && next.value !== null ? bases.get(next.value) : undefined;
      node = base === undefined ? next : { ...next, base };
    }
    return node;
  }

  /** A pointer may pass through a reference, such as a map in another file. */
  #followRefToChild(node: SourceNode, token: string): SourceNode | undefined {
    if (!isRecord(node.value) || typeof node.value.$ref !== 'string') return undefined;
    const behind = this.followReference(node, {
      what: 'An object on the way of a reference',
      target: 'other',
    });
    return behind === undefined ? undefined : findChildNode(behind, token);
  }
}

function isReference(node: SourceNode): node is RecordNode {
  return isRecord(node.value) && Object.hasOwn(node.value, '$ref');
}

function findChildNode(node: SourceNode, token: string): SourceNode | undefined {
  if (Array.isArray(node.value)) {
    const item: unknown = /^(?:0|[1-9]\d*)$/.test(token) ? node.value[Number(token)] : undefined;
    return item === undefined ? undefined : childNode(node, token, item);
  }
  if (!isRecord(node.value) || !Object.hasOwn(node.value, token)) return undefined;
  return memberNode({ ...node, value: node.value }, token);
}

function resolveUrlWithoutFragment(address: string, base: string): URL | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  url.hash = '';
  return url;
}

/** The reference with a last name that its holder has. */
function suggestReference(ref: string, root: SourceNode, fragment: string): string {
  const tokens = pointerTokens(fragment);
  const last = tokens.pop() ?? '';
  const holder = tokens.reduce<SourceNode | undefined>(
    (node, token) => node && findChildNode(node, token),
    root,
  );
  const name = isRecord(holder?.value) ? nearest(last, Object.keys(holder.value)) : undefined;
  return name === undefined ? '' : `${ref.slice(0, ref.lastIndexOf('/'))}/${escapePointerToken(name)}`;
}
