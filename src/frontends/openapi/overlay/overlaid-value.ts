/**
 * A container is copied before its first change, since YAML aliases may share it. Each changed place keeps its
 * origin.
 */
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { type Rec, describeValueKind, ownMember, setOwnMember } from '../document/record.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import { OverlayMisfit, memberOrigin } from './read-overlay.ts';
import type { ValuePath } from './select-places.ts';

type Container = Rec | unknown[];

/** The origin of a member, or its token in the container's own text. */
type Written = DocumentOrigin | string;

export class OverlaidValue {
  #root: unknown;
  readonly #file: string;
  readonly #depth: number;
  #budget: number;
  /** Origins of changed members of copied containers; for lists, of all members. */
  readonly #origins = new WeakMap<object, Map<string, Written> | Written[]>();

  constructor(root: unknown, file: string, { depth, budget }: { depth: number; budget: number }) {
    this.#root = root;
    this.#file = file;
    this.#depth = depth;
    this.#budget = budget;
  }

  get value(): unknown {
    return this.#root;
  }

  originOf(pointer: string): DocumentOrigin {
    let origin: DocumentOrigin = { kind: 'document', file: this.#file, pointer: '' };
    let value = this.#root;
    for (const token of pointerTokens(pointer)) {
      const written = this.#originOfMember(value, token);
      origin = typeof written === 'string' ? memberOrigin(origin, written) : written;
      value = Array.isArray(value)
        ? value[Number(token)]
        : isRecord(value)
          ? ownMember(value, token)
          : undefined;
    }
    return origin;
  }

  /** The value may have been removed with its container. */
  removeAt(path: ValuePath): void {
    const key = path.at(-1);
    if (key === undefined) throw new OverlayMisfit('the whole document cannot be removed');
    const parent = this.#copyContainerAt(path.slice(0, -1));
    if (Array.isArray(parent)) {
      parent.splice(Number(key), 1);
      this.#originsOfItems(parent).splice(Number(key), 1);
    } else if (parent !== undefined) Reflect.deleteProperty(parent, key);
  }

  mergeAt(path: ValuePath, update: unknown, from: DocumentOrigin): void {
    const target = this.#copyContainerAt(path);
    if (Array.isArray(target)) this.#appendItems(target, update, from, path.length);
    else if (target !== undefined) this.#mergeMembers(target, update, from, path);
    else this.#replaceAt(path, update, from);
  }

  #replaceAt(path: ValuePath, update: unknown, from: DocumentOrigin): void {
    const key = path.at(-1);
    const parent = this.#copyContainerAt(path.slice(0, -1));
    if (key === undefined || parent === undefined) return;
    if (isContainer(update)) throw makeMisfitError(describeValueKind(getMember(parent, key)), update, path);
    this.#setMemberWithOrigin(parent, key, update, from);
  }

  #appendItems(target: unknown[], update: unknown, from: DocumentOrigin, depth: number): void {
    const order = this.#originsOfItems(target);
    const items: unknown[] = Array.isArray(update) ? update : [update];
    for (const [index, item] of items.entries()) {
      target.push(this.#cloneValue(item, depth + 1));
      order.push(Array.isArray(update) ? memberOrigin(from, index) : from);
    }
  }

  #mergeMembers(target: Rec, update: unknown, from: DocumentOrigin, path: ValuePath): void {
    if (!isRecord(update)) throw makeMisfitError('an object', update, path);
    for (const [key, value] of Object.entries(update)) {
      const place = memberOrigin(from, key);
      if (!Object.hasOwn(target, key))
        this.#setMemberWithOrigin(target, key, this.#cloneValue(value, path.length + 1), place);
      else this.#mergeMember(target, key, value, place, [...path, key]);
    }
  }

  #mergeMember(target: Rec, key: string, value: unknown, from: DocumentOrigin, path: ValuePath): void {
    const existing = target[key];
    if (findShape(existing) !== findShape(value))
      throw makeMisfitError(describeValueKind(existing), value, path);
    if (isContainer(existing)) this.mergeAt(path, value, from);
    else this.#setMemberWithOrigin(target, key, value, from);
  }

  #setMemberWithOrigin(target: Container, key: string | number, value: unknown, from: DocumentOrigin): void {
    setMember(target, key, value);
    if (Array.isArray(target)) this.#originsOfItems(target)[Number(key)] = from;
    else this.#originsOfMembers(target).set(String(key), from);
  }

  /** Copies the container and its parents, unless they are copies already. */
  #copyContainerAt(path: ValuePath): Container | undefined {
    let container = this.#copyUnlessCopied(this.#root);
    this.#root = container ?? this.#root;
    for (const key of path) {
      if (container === undefined) return undefined;
      const child = this.#copyUnlessCopied(getMember(container, key));
      if (child !== undefined) setMember(container, key, child);
      container = child;
    }
    return container;
  }

  #copyUnlessCopied(value: unknown): Container | undefined {
    if (!isContainer(value)) return undefined;
    if (this.#origins.has(value)) return value;
    const copy: Container = Array.isArray(value) ? [...(value as unknown[])] : copyRecord(value);
    this.#origins.set(copy, Array.isArray(copy) ? copy.map((_, index) => String(index)) : new Map());
    return copy;
  }

  /** Overlay values are copied, since they may be merged in several places. */
  #cloneValue(value: unknown, depth: number): unknown {
    this.#budget -= 1;
    if (this.#budget < 0) throw new OverlayMisfit('the document would become too large');
    if (depth > this.#depth)
      throw new OverlayMisfit(`the document would nest deeper than ${this.#depth} levels`);
    if (Array.isArray(value)) return value.map((item) => this.#cloneValue(item, depth + 1));
    if (!isRecord(value)) return value;
    const copy: Rec = {};
    for (const [key, member] of Object.entries(value))
      setOwnMember(copy, key, this.#cloneValue(member, depth + 1));
    return copy;
  }

  #originOfMember(container: unknown, token: string): Written {
    const origins = isContainer(container) ? this.#origins.get(container) : undefined;
    if (origins === undefined) return token;
    return (Array.isArray(origins) ? origins[Number(token)] : origins.get(token)) ?? token;
  }

  #originsOfItems(list: unknown[]): Written[] {
    const origins = this.#origins.get(list);
    return Array.isArray(origins) ? origins : [];
  }

  #originsOfMembers(record: Rec): Map<string, Written> {
    const origins = this.#origins.get(record);
    return origins instanceof Map ? origins : new Map<string, Written>();
  }
}

export function findShape(value: unknown): 'list' | 'object' | 'plain value' {
  if (Array.isArray(value)) return 'list';
  return isContainer(value) ? 'object' : 'plain value';
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function copyRecord(record: Rec): Rec {
  const copy: Rec = {};
  for (const [key, value] of Object.entries(record)) setOwnMember(copy, key, value);
  return copy;
}

function setMember(container: Container, key: string | number, value: unknown): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else setOwnMember(container, String(key), value);
}

function getMember(container: Container, key: string | number): unknown {
  return Array.isArray(container) ? container[Number(key)] : ownMember(container, String(key));
}

function makeMisfitError(actual: string, update: unknown, path: ValuePath): OverlayMisfit {
  const place = path.length === 0 ? 'the document' : path.join(' › ');
  return new OverlayMisfit(
    `${place} is ${actual}, and ${describeValueKind(update)} cannot be merged into it`,
  );
}
