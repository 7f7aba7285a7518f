/** Checks of `tools`: how single tools are served, whatever source they are of. */
import type { ToolAnnotations } from '../../model/listed-items.ts';
import type { ArgumentRule, OutputRule } from '../../model/source-model.ts';
import {
  type Check,
  type Path,
  flag,
  makeMapCheck,
  makePredicateCheck,
  makeObjectCheck,
  text,
  texts,
} from './shape.ts';

/** Rules for a tool, in place of what its source says. */
export interface ToolRules {
  name?: string;
  title?: string;
  description?: string;
  annotations?: ToolAnnotations;
  /** On a search surface: lists the tool itself, beside the tools that search. */
  pin?: boolean;
  /** The server does not have the tool. */
  hide?: boolean;
  /** Rules by the argument's name, either as clients see it or as the document has it. Functions have `description` and `hide`. */
  arguments?: Record<string, ArgumentRule>;
  output?: OutputRule;
  /** Whether clients may name the members of answers that they want. */
  fields?: boolean;
}

function isVariableName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}

function refersToVariable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('${');
  return typeof value === 'object' && value !== null && Object.values(value).some(refersToVariable);
}

export const NO_REFERENCES =
  'must not contain ${…}, which is read when compiling: write { "env": "NAME" } for a variable that the server reads at a call';

/** Whether a text of the configuration is the value of an argument, or belongs to it. */
export function isArgumentValuePath(path: Path): boolean {
  const at = path.indexOf('tools');
  const member = path[at + 4];
  return (
    at >= 0 &&
    path[at + 2] === 'arguments' &&
    (member === 'default' || member === 'const' || member === 'env')
  );
}

const value: Check = makePredicateCheck((ruleValue) => !refersToVariable(ruleValue), NO_REFERENCES);

export const ruleMembers: Record<keyof ArgumentRule, Check> = {
  hide: flag,
  name: text,
  description: text,
  default: value,
  const: value,
  env: (variable, path) => {
    if (refersToVariable(variable)) return [{ path, problem: NO_REFERENCES }];
    return isVariableName(variable) ? [] : [{ path, problem: 'must be the name of a variable' }];
  },
};

const rules = makeMapCheck(
  makeObjectCheck(ruleMembers, 'must be an object'),
  'must be an object of arguments',
);

const outputs: Record<keyof OutputRule, Check> = { select: texts, drop: texts };

export const outputRule = makeObjectCheck(outputs, 'must be an object with "select" or "drop"');

const hints: Record<keyof ToolAnnotations, Check> = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
};

export const annotationHints = makeObjectCheck(hints, 'must be an object of hints');

const tool: Record<keyof ToolRules, Check> = {
  name: text,
  title: text,
  description: text,
  annotations: annotationHints,
  arguments: rules,
  output: outputRule,
  fields: flag,
  pin: flag,
  hide: flag,
};

export const toolRules: Check = makeMapCheck(
  makeObjectCheck(tool, `must be an object with some of ${Object.keys(tool).join(', ')}`),
  'must be an object of tools',
);
