/** Checks of `toolWords`: what people and models read of single tools, whatever source they are of. */
import { getOwnMember } from '../../../templates/runtime/contract/json-value.ts';
import type { ToolAnnotations } from '../../../templates/runtime/contract/json-schema.ts';
import { type Check, flag, makeMapCheck, makeObjectCheck, text } from './shape.ts';

/** Words and hints of a tool, in place of those that its source gives. */
export interface ToolWords {
  name?: string;
  title?: string;
  description?: string;
  annotations?: ToolAnnotations;
  arguments?: Record<string, ArgumentWords>;
  /** On a search surface: lists the tool itself, beside the tools that search. */
  pin?: boolean;
  /** The server does not have the tool. */
  hide?: boolean;
}

interface ArgumentWords {
  description?: string;
  /** Hides the argument from clients, so it must be optional. */
  hide?: boolean;
}

const argumentMembers: Record<keyof ArgumentWords, Check> = { description: text, hide: flag };

const hints: Record<keyof ToolAnnotations, Check> = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
};

const members: Record<keyof ToolWords, Check> = {
  name: text,
  title: text,
  description: text,
  annotations: makeObjectCheck(hints, 'must be an object of hints'),
  arguments: makeMapCheck(
    makeObjectCheck(argumentMembers, 'must be an object'),
    'must be an object of arguments',
  ),
  pin: flag,
  hide: flag,
};

export const toolWords: Check = makeMapCheck(
  makeObjectCheck(members, `must be an object with some of ${Object.keys(members).join(', ')}`),
  'must be an object of tools',
);

/** The words of `over` win, member by member. */
export function mergeToolWords(
  under: Record<string, ToolWords> = {},
  over: Record<string, ToolWords> = {},
): Record<string, ToolWords> {
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries(
    Array.from(names, (name) => [
      name,
      mergeWordsOfTool(getOwnMember(under, name) ?? {}, getOwnMember(over, name) ?? {}),
    ]),
  );
}

function mergeWordsOfTool(under: ToolWords, over: ToolWords): ToolWords {
  const joined = { ...under, ...over };
  if (under.annotations && over.annotations)
    joined.annotations = { ...under.annotations, ...over.annotations };
  if (under.arguments && over.arguments) {
    const names = new Set([...Object.keys(under.arguments), ...Object.keys(over.arguments)]);
    const mergeArgumentWords = (name: string) => ({
      ...getOwnMember(under.arguments ?? {}, name),
      ...getOwnMember(over.arguments ?? {}, name),
    });
    joined.arguments = Object.fromEntries(Array.from(names, (name) => [name, mergeArgumentWords(name)]));
  }
  return joined;
}
