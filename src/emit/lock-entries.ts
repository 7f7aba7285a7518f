/** Parts of `mcpgen.lock`: the tools' names, and the origins that credentials are sent to (ADR 43). */
import type { Bindings } from '../../templates/runtime/contract/bindings.ts';
import { isRecord, parsePooledJson } from '../../templates/runtime/contract/json-value.ts';
import { type CredentialOrigins, originsOfBindings } from '../model/credential-origins.ts';
import { bindingKey } from '../model/operation-key.ts';
import type { Tool } from '../model/server-model.ts';
import { hashContents, isHashOf } from './hash.ts';

interface Remembered {
  names: Record<string, string>;
  /** Operation key → operationId, of the tools that are called otherwise. */
  operationIds?: Record<string, string>;
}

interface Named {
  tools: readonly Pick<Tool, 'name' | 'binding'>[];
}

/** Lists the name of each tool by what it is remembered by; one that `given` has wins. */
export function mapNamesByOperation(
  { tools }: Named,
  lockedNames: Record<string, string> = {},
): Record<string, string> {
  return Object.fromEntries(
    tools.map(({ name, binding }) => {
      const key = bindingKey(binding);
      return [key, Object.hasOwn(lockedNames, key) ? (lockedNames[key] ?? name) : name];
    }),
  );
}

export function listOperationIds({ tools }: Named): Pick<Remembered, 'operationIds'> {
  const ids = tools.flatMap(({ binding }): [string, string][] =>
    binding.kind === 'http' && binding.operationId !== undefined
      ? [[bindingKey(binding), binding.operationId]]
      : [],
  );
  return ids.length === 0 ? {} : { operationIds: Object.fromEntries(ids) };
}

/** `name`, or `name operationId`: names have no spaces. Keys of operations are long, so each stands once. */
export function formatNameEntries({ names, operationIds = {} }: Remembered): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([key, name]) => {
      const operationId = Object.hasOwn(operationIds, key) ? operationIds[key] : undefined;
      return [key, operationId === undefined ? name : `${name} ${operationId}`];
    }),
  );
}

/** An operationId may have spaces. */
export function parseNameEntries(written: Record<string, string>): Remembered {
  const entries = Object.entries(written).map(([key, text]) => ({
    key,
    ...(/^(?<name>\S*)(?: (?<id>.*))?$/s.exec(text)?.groups as { name: string; id?: string }),
  }));
  const operationIds = Object.fromEntries(
    entries.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id]])),
  );
  return {
    names: Object.fromEntries(entries.map(({ key, name }) => [key, name])),
    ...(Object.keys(operationIds).length > 0 && { operationIds }),
  };
}

export function toLockedNames({
  names,
  operationIds = {},
}: Remembered): Record<string, string | { name: string; operationId: string }> {
  return Object.fromEntries(
    Object.entries(names).map(([key, name]) => {
      const operationId = Object.hasOwn(operationIds, key) ? operationIds[key] : undefined;
      return [key, operationId === undefined ? name : { name, operationId }];
    }),
  );
}

export interface LockedOrigins {
  sentTo: CredentialOrigins;
  /** Hash of `sentTo`: a list that a person or a merge has changed is ignored. */
  hash: string;
}

/** The file that origins are read from if the lock has none. */
export const BINDINGS = 'src/generated/bindings.json';

export function hashOrigins(sentTo: CredentialOrigins): LockedOrigins {
  return { sentTo, hash: hashContents(JSON.stringify(sentTo)) };
}

/** Reads the origins; `undefined` if there are none, or if someone has edited them. */
export function parseLockedOrigins(value: unknown): LockedOrigins | undefined {
  if (!isRecord(value) || !isRecord(value['sentTo'])) return undefined;
  const { sentTo, hash } = value;
  if (!isCredentialOrigins(sentTo) || hash !== hashOrigins(sentTo).hash) return undefined;
  return { sentTo, hash };
}

function isCredentialOrigins(value: unknown): value is CredentialOrigins {
  return (
    isRecord(value) &&
    Object.values(value).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'))
  );
}

/**
 * The origins of a project as it was generated: those of its lock, else those of its bindings, unless these were edited. If
 * neither can be used there are none, so each origin has to be accepted. `undefined`: there is no project.
 *
 * @param bindings the text of `BINDINGS`; undefined if the file does not exist
 */
export function readKnownOrigins(
  lock: { files: Record<string, string>; origins?: LockedOrigins } | undefined,
  bindings: string | undefined,
): { origins: CredentialOrigins; from: 'lock' | 'bindings' } | undefined {
  if (lock?.origins !== undefined) return { origins: lock.origins.sentTo, from: 'lock' };
  if (lock === undefined && bindings === undefined) return undefined;
  const isGenerated = lock === undefined || isHashOf(lock.files[BINDINGS], BINDINGS, bindings ?? '');
  return { origins: (isGenerated && readBindings(bindings ?? '')) || {}, from: 'bindings' };
}

function readBindings(text: string): CredentialOrigins | undefined {
  try {
    return originsOfBindings(parsePooledJson(text) as Bindings);
  } catch {
    // The text is not as mcpgen writes bindings.
    return undefined;
  }
}
