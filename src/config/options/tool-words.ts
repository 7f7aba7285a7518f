/** Checks of `toolWords`: what people and models read of single tools, whatever source they are of. */
import type { ToolAnnotations } from '../../model/listed-items.ts';
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

export const annotationHints = makeObjectCheck(hints, 'must be an object of hints');

const members: Record<keyof ToolWords, Check> = {
  name: text,
  title: text,
  description: text,
  annotations: annotationHints,
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
