/** Puts an edit of the page into `x-mcp` of an operation, or into a tool's entry of the surface file. */
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { ToolEdit } from '../protocol.ts';

type Rec = Record<string, unknown>;

/** `null` takes an earlier edit back. `argumentKey` is the key of an argument's rule, which may have renamed it. */
export function editXMcp(
  before: Rec,
  { hidden, arguments: args, ...edit }: ToolEdit,
  argumentKey: (name: string) => string = (name) => name,
): Rec {
  const hide = editHiding(before['enabled'] === false, hidden);
  return setOrRemoveMembers(before, {
    ...edit,
    enabled: typeof hide === 'boolean' ? !hide : hide,
    arguments: args && editArguments(before, args, argumentKey),
  });
}

export function applyEditToToolWords(before: Rec, { hidden, arguments: args, ...edit }: ToolEdit): Rec {
  return setOrRemoveMembers(before, {
    ...edit,
    hide: editHiding(before['hide'], hidden),
    arguments: args && editArguments(before, args, (name) => name),
  });
}

/** Decides the member that hides. Showing takes an earlier edit back; without one it wins over the source. */
function editHiding(before: unknown, hidden: boolean | null | undefined): boolean | null | undefined {
  return before === true && hidden === false ? null : hidden;
}

function editArguments(
  { arguments: before }: Rec,
  edits: NonNullable<ToolEdit['arguments']>,
  keyOf: (name: string) => string,
): Rec | null {
  const rules: Rec = isRecord(before) ? { ...before } : {};
  for (const [name, { description, hidden: hide }] of Object.entries(edits)) {
    const key = keyOf(name);
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const old = isRecord(rule) ? rule : {};
    const changed = setOrRemoveMembers(old, { description, hide: editHiding(old['hide'], hide) });
    if (Object.keys(changed).length === 0) Reflect.deleteProperty(rules, key);
    else defineOwnMember(rules, key, changed);
  }
  return Object.keys(rules).length === 0 ? null : rules;
}

/** Members that are `undefined` stay, `null` ones go. */
export function setOrRemoveMembers(before: Rec, changes: Rec): Rec {
  const after = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) Reflect.deleteProperty(after, name);
    else if (value !== undefined) defineOwnMember(after, name, value);
  }
  return after;
}

/** Names come from documents: `__proto__` is one of them. */
export function defineOwnMember(target: Rec, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
