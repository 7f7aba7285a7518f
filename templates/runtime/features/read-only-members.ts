// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Members of arguments that only answers have (`readOnly`): models give back what they got. They are accepted, and not sent. */
import type { FillArguments } from '../call-api.ts';
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import type { Args, HttpBinding } from '../types.ts';

interface ReadOnlyMembers {
  names?: string[];
  properties?: Record<string, ReadOnlyMembers>;
  items?: ReadOnlyMembers;
  /** Of each value of a map that has no entry in `properties`. */
  values?: ReadOnlyMembers;
}
declare module '../types.ts' {
  interface Body {
    readOnly?: ReadOnlyMembers;
  }
}

export function readOnlyMembers(): Feature {
  return {
    name: 'read-only-members',
    // Before the check: the schema has no place for these members.
    aroundCall: {
      admit: (call, next) => {
        const binding = ownMember(call.request.server.bindings.tools, call.name)?.do as
          HttpBinding | undefined;
        if (call.kind === 'tool') call.args = dropReadOnly(call.args, binding?.body?.readOnly) as Args;
        return next();
      },
    },
    parts: { arguments: { readOnly: drop } },
  };
}

/** Of arguments that code gives. */
const drop: FillArguments = (args, { body }) => ({
  args: dropReadOnly(args, body?.readOnly) as Args,
  secrets: [],
});

export function dropReadOnly(value: unknown, members: ReadOnlyMembers | undefined): unknown {
  if (members === undefined || typeof value !== 'object' || value === null) return value;
  const { names = [], properties, items, values } = members;
  if (Array.isArray(value)) return value.map((item) => dropReadOnly(item, items));
  const entries = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, dropReadOnly(member, ownMember(properties, name) ?? values)]),
  );
}
