import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { SecurityRequirement } from '../../../../templates/runtime/contract/bindings.ts';
import type { SecurityScheme } from '../../../model/source-model.ts';
import { type ReadContext, readList, readRecord } from '../read-context.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import {
  type RecordNode,
  type SourceNode,
  childOf,
  isRecordNode,
  memberOf,
  originOf,
} from '../reference/source-node.ts';
import { setOwn } from './record.ts';
import { readSecurityScheme } from './security-scheme.ts';

export type SecuritySchemes = Record<string, SecurityScheme>;

/** Reads `components/securitySchemes` (`securityDefinitions` in Swagger 2.0), without unusable schemes. */
export function readSecuritySchemes(context: ReadContext, node: RecordNode | undefined): SecuritySchemes {
  const schemes: SecuritySchemes = {};
  for (const name of Object.keys(node?.value ?? {})) {
    if (node === undefined || name.startsWith('x-')) continue;
    const scheme = readSecurityScheme(context, memberOf(node, name), name);
    if (scheme !== undefined) setOwn(schemes, name, scheme);
  }
  return schemes;
}

/** Reads security requirements. OpenAPI 3.2 may refer to schemes in other documents, which are added. */
export class SecurityReader {
  readonly schemes: SecuritySchemes;
  readonly #context: ReadContext;
  /** All names in the document, usable or not, so that only others are reported as unknown. */
  readonly #declared: ReadonlySet<string>;

  constructor(context: ReadContext, schemes: SecuritySchemes, declared: ReadonlySet<string>) {
    this.#context = context;
    this.schemes = schemes;
    this.#declared = declared;
  }

  /** Undefined if absent; `[]` removes all security. */
  read(owner: RecordNode): SecurityRequirement[] | undefined {
    const node = memberOf(owner, 'security');
    if (node.value === undefined) return undefined;
    const list = readList(this.#context, node, '`security`');
    return list
      .map((_, index) => this.#requirement(childOf(node, index, list[index])))
      .filter((requirement) => requirement !== undefined);
  }

  #requirement(node: SourceNode): SecurityRequirement | undefined {
    const alternative = readRecord(this.#context, node, 'A security requirement');
    if (alternative === undefined) return undefined;
    const requirement: SecurityRequirement = {};
    for (const key of Object.keys(alternative.value)) {
      const scheme = memberOf(alternative, key);
      const name = this.#nameOf(key, scheme);
      if (name === undefined) continue;
      const scopes = Array.isArray(scheme.value) ? scheme.value : [];
      setOwn(
        requirement,
        name,
        scopes.filter((scope): scope is string => typeof scope === 'string'),
      );
    }
    // An alternative that became empty would mean "no security", and be preferred to the others.
    const emptied = Object.keys(requirement).length === 0 && Object.keys(alternative.value).length > 0;
    return emptied ? undefined : requirement;
  }

  #nameOf(key: string, at: SourceNode): string | undefined {
    if (Object.hasOwn(this.schemes, key) || this.#declared.has(key))
      return Object.hasOwn(this.schemes, key) ? key : undefined;
    const linked = key.includes('#') || key.includes('/') ? this.#linked(key, at) : undefined;
    if (linked === undefined)
      this.#context.report('unknown-security-scheme', { name: key }, { at: originOf(at) });
    return linked;
  }

  /** OpenAPI 3.2: the key may be a reference to a Security Scheme Object. */
  #linked(key: string, at: SourceNode): string | undefined {
    const target = this.#context.resolver.target(at, key, 'other');
    if (target === undefined || !isRecordNode(target) || !isRecord(target.value)) return undefined;
    const name = pointerTokens(target.pointer).at(-1) ?? key;
    if (!Object.hasOwn(this.schemes, name)) {
      const scheme = readSecurityScheme(this.#context, target, name);
      if (scheme === undefined) return undefined;
      setOwn(this.schemes, name, scheme);
    }
    return name;
  }
}
