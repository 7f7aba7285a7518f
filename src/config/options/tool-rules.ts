/** The table of members of `tools`, which say how single tools are served, whatever source they are of. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { ArgumentRule, OutputRule } from '../../model/source-model.ts';
import {
  type Check,
  type Path,
  flag,
  makeChoiceCheck,
  makeMapCheck,
  makePredicateCheck,
  makeObjectCheck,
  text,
  texts,
} from './shape.ts';
import { checkHeaders, selectorProblem, wholeNumber } from './values.ts';

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

export const argumentMembers: Record<keyof ArgumentRule, Check> = {
  hide: flag,
  name: text,
  description: text,
  default: value,
  const: value,
  env: (variable, path) => {
    if (refersToVariable(variable)) return [{ path, problem: NO_REFERENCES }];
    return typeof variable === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)
      ? []
      : [{ path, problem: 'must be the name of a variable' }];
  },
};

const outputs: Record<keyof OutputRule, Check> = { select: texts, drop: texts };

/** The hints of MCP by short names. */
export interface ToolHints {
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  openWorld?: boolean;
}

const hintMembers: Record<keyof ToolHints, Check> = {
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
};

const checkHints: Check = (hints, path) =>
  isRecord(hints) && hints['readOnly'] === true && hints['destructive'] === true
    ? [{ path, problem: 'says that the tool only reads and that it destroys; keep one' }]
    : makeObjectCheck(hintMembers, 'must be an object of hints')(hints, path);

interface MemberRow {
  type: string;
  check: Check;
  /** One line for editors and the reference, without full stop. */
  help: string;
  /** Functions send no request of their own and return what their code says. */
  of?: 'operations';
}

/** A new member is a row here, and one in `src/derive/tool-rules.ts` if it does more than replace a text. */
export const TOOL_MEMBERS = {
  name: { type: 'string', check: text, help: 'the name that clients see; only under a key of one tool' },
  title: { type: 'string', check: text, help: 'the title, for people' },
  description: { type: 'string', check: text, help: 'the description, by which models choose' },
  exclude: {
    type: 'true',
    check: makePredicateCheck(
      (isExcluded) => isExcluded === true,
      'must be true: the strictest setting holds, so nothing takes an exclusion back',
    ),
    help: 'not listed, not callable, not found by search',
  },
  pin: { type: 'boolean', check: flag, help: 'listed beside the tools that search others' },
  confirm: {
    type: "'destructive' | 'always'",
    check: makeChoiceCheck('destructive', 'always'),
    help: 'the user is asked first: `always`, or if it may delete or overwrite data (`destructive`)',
  },
  scopes: { type: 'string[]', check: texts, help: 'OAuth scopes that callers need too' },
  headers: {
    type: 'Record<string, string>',
    check: checkHeaders,
    help: 'headers of its requests; `${NAME}` is read from the environment when the server runs',
    of: 'operations',
  },
  timeout: {
    type: 'number',
    check: wholeNumber,
    help: 'milliseconds of a call, retries included, in place of `API_TIMEOUT_MS`',
    of: 'operations',
  },
  hints: {
    type: 'ToolHints',
    check: checkHints,
    help: 'what clients may assume: `readOnly`, `destructive`, `idempotent`, `openWorld`',
  },
  arguments: {
    type: 'Record<string, ArgumentRule>',
    check: makeMapCheck(
      makeObjectCheck(argumentMembers, 'must be an object'),
      'must be an object of arguments',
    ),
    help: 'rules by the name of an argument, for clients or in the document; functions have `description` and `hide`',
  },
  output: {
    type: 'OutputRule',
    check: makeObjectCheck(outputs, 'must be an object with "select" or "drop"'),
    help: 'members of its answers: `select` keeps some, `drop` removes some',
    of: 'operations',
  },
  fields: {
    type: 'boolean',
    check: flag,
    help: 'an argument `fields`, by which models choose members of its answers',
    of: 'operations',
  },
} as const satisfies Record<string, MemberRow>;

type Members = keyof typeof TOOL_MEMBERS;

/** The checks of these members. */
export function checksOfMembers<M extends Members>(...members: readonly M[]): Record<M, Check> {
  return Object.fromEntries(members.map((member) => [member, TOOL_MEMBERS[member].check])) as Record<
    M,
    Check
  >;
}

const MEMBER_NAMES = Object.keys(TOOL_MEMBERS) as Members[];

const rules = makeMapCheck(
  makeObjectCheck(
    checksOfMembers(...MEMBER_NAMES),
    `must be an object with some of ${MEMBER_NAMES.join(', ')}`,
  ),
  'must be an object of tools',
);

/** An operation's key, as the lock has it: `DELETE /pets/{petId}`. */
export const OPERATION_KEY = /^[A-Za-z]+ \//;

/** Names and operations have no colon, so a key with one is a selector. */
export function isSelector(key: string): boolean {
  return key.includes(':') && !OPERATION_KEY.test(key);
}

export const toolRules: Check = (tools, path) => [
  ...rules(tools, path),
  ...Object.keys(Object(tools) as object).flatMap((key) => {
    const problem = isSelector(key) ? selectorProblem(key) : undefined;
    return problem === undefined
      ? []
      : [{ path, problem: `has the key ${JSON.stringify(key)}; ${problem}`, key }];
  }),
];
