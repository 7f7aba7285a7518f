/** Parts of `mcpgen.lock`: the tools' names, and the origins that credentials are sent to (ADR 43). */
import type { Bindings } from '../model/bindings.ts';
import { ownMember, isRecord, parseJson } from '../../templates/runtime/json-rpc.ts';
import { type CredentialOrigins, originsOfBindings } from '../model/credential-origins.ts';
import { bindingKey } from '../model/operation-key.ts';
import type { Tool } from '../model/server-model.ts';
import type { NameLock } from '../derive/index.ts';
import { hashContents, isHashOf } from './hash.ts';

interface Named {
  tools: readonly Pick<Tool, 'name' | 'binding'>[];
}

/**
 * Operation key → `name`, or `name operationId`: names have no spaces. Keys of operations are long, so each is written once. A name
 * in `lockedNames` wins.
 */
export function listNameEntries(
  { tools }: Named,
  lockedNames: Record<string, string> = {},
): Record<string, string> {
  const entries = tools.map(({ name, binding }) => {
    const key = bindingKey(binding);
    const lockedName = ownMember(lockedNames, key) ?? name;
    const { operationId } = binding.kind === 'http' ? binding : {};
    return [key, operationId === undefined ? lockedName : `${lockedName} ${operationId}`];
  });
  return Object.fromEntries(entries);
}

export function mapNamesByOperation(model: Named): Record<string, string> {
  return readNames(listNameEntries(model));
}

/** The names of entries as `listNameEntries` makes them. An operationId may have spaces. */
export function parseNameEntries(entries: Record<string, string>): NameLock {
  const names = Object.entries(entries).map(([key, entry]): [string, NameLock[string]] => {
    const [name = '', operationId] = entry.split(/ (.*)/s);
    return [key, operationId === undefined ? name : { name, operationId }];
  });
  return Object.fromEntries(names);
}

/** Operation key → name, of such entries. */
export function readNames(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, entry.replace(/ .*/s, '')]));
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
  const isGenerated = lock === undefined || isHashOf(lock.files[BINDINGS], bindings ?? '');
  return { origins: (isGenerated && readBindings(bindings ?? '')) || {}, from: 'bindings' };
}

function readBindings(text: string): CredentialOrigins | undefined {
  try {
    return originsOfBindings(parseJson(text) as Bindings);
  } catch {
    // The text is not as mcpgen writes bindings.
    return undefined;
  }
}
