/** Checks what the page gives. */
import {
  type Check,
  describeFault,
  makePredicateCheck,
  makeObjectCheck,
  text,
} from '../config/options/shape.ts';
import { OPTIONS } from '../config/options/table.ts';
import { CLIENT_NAMES } from '../model/client-profiles.ts';
import { makeChoiceCheck, flag, makeListCheck, makeMapCheck } from '../config/options/shape.ts';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { Refusal } from './problem.ts';
import type {
  DiffQuery,
  ProposeRequest,
  SaveTestRequest,
  ServerQuery,
  ToolQuery,
  TryRequest,
} from './protocol.ts';

const isText = makePredicateCheck((value) => typeof value === 'string', 'must be a string');
const object = makePredicateCheck(isRecord, 'must be an object');

function nullOr(check: Check): Check {
  return (value, path) => (value === null ? [] : check(value, path));
}

const argumentEdit = makeObjectCheck(
  { description: nullOr(text), hidden: nullOr(flag) },
  'must be an object',
);
const hints = makeObjectCheck(
  { title: text, readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag },
  'must be an object of hints',
);
const toolEdit = makeObjectCheck(
  {
    name: nullOr(text),
    title: nullOr(text),
    description: nullOr(text),
    annotations: nullOr(hints),
    arguments: makeMapCheck(argumentEdit, 'must be an object of arguments'),
    pin: nullOr(flag),
    hidden: nullOr(flag),
  },
  'must be an object',
);

const EDITS: Readonly<Record<string, Record<string, Check>>> = {
  tool: { name: text, set: toolEdit },
  selection: { include: OPTIONS.include.check, exclude: OPTIONS.exclude.check },
  surface: { surface: OPTIONS.surface.check },
  features: { features: makeMapCheck(flag, 'must be an object of switches') },
  fix: { tools: makeListCheck(text, 'must be a list of names') },
};

const edit: Check = makeCheckByKind(EDITS);

const CALLS: Readonly<Record<string, Record<string, Check>>> = {
  tool: { name: text, arguments: object },
  prompt: { name: text, arguments: makeMapCheck(isText, 'must be an object of texts') },
  resource: { uri: text },
  completion: { ref: object, argument: makeObjectCheck({ name: text, value: isText }, 'must be an object') },
};

const call: Check = makeCheckByKind(CALLS);

/** All members but those of `OPTIONAL` are needed. */
function makeCheckByKind(kinds: Readonly<Record<string, Record<string, Check>>>): Check {
  return (value, path) => {
    const kind = isRecord(value) ? String(value['kind']) : '';
    const members = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (members === undefined)
      return [{ path, problem: `needs "kind", one of ${Object.keys(kinds).join(', ')}` }];
    const needed = Object.keys(members).filter((key) => !OPTIONAL.includes(key));
    return [
      ...makeObjectCheck({ kind: text, ...members }, 'must be an object')(value, path),
      ...findMissing(value, needed, path),
    ];
  };
}

const OPTIONAL = ['include', 'exclude', 'tools'];

function findMissing(
  value: unknown,
  needed: readonly string[],
  path: Parameters<Check>[1],
): ReturnType<Check> {
  return needed
    .filter((member) => isRecord(value) && value[member] === undefined)
    .map((member) => ({ path, problem: `has no "${member}"` }));
}

const exchange = makeObjectCheck({ request: object, response: object }, 'must be an object');

const SERVER = { server: isText };

const TAKES = {
  server: createBodyParser<ServerQuery>(SERVER, []),
  tool: createBodyParser<ToolQuery>(
    { ...SERVER, name: text, client: makeChoiceCheck(...CLIENT_NAMES), revision: isText },
    ['name'],
  ),
  diff: createBodyParser<DiffQuery>({ ...SERVER, against: text }, ['against']),
  propose: createBodyParser<ProposeRequest>({ ...SERVER, edits: makeListCheck(edit, 'must be a list') }, [
    'edits',
  ]),
  apply: createBodyParser<{ proposal: string }>({ proposal: text }, ['proposal']),
  undo: createBodyParser<{ applied: string }>({ applied: text }, ['applied']),
  try: createBodyParser<TryRequest>(
    { ...SERVER, call, target: makeChoiceCheck('mock', 'api'), revision: isText, confirmed: flag },
    ['call', 'target'],
  ),
  saveTest: createBodyParser<SaveTestRequest>(
    { ...SERVER, call, answer: object, exchanges: makeListCheck(exchange, 'must be a list') },
    ['call', 'answer', 'exchanges'],
  ),
};

export { TAKES as takes };

/** @throws {Refusal} by the function that is returned */
function createBodyParser<T extends object>(
  members: Record<string, Check>,
  needed: (keyof T & string)[],
): (value: Record<string, unknown>) => T {
  const check = makeObjectCheck(members, 'must be an object');
  return (value) => {
    const faults = [...check(value, []), ...findMissing(value, needed, [])];
    if (!isValid<T>(value, faults.length === 0)) throw new Refusal(400, faults.map(describeFault).join('; '));
    return value;
  };
}

function isValid<T>(value: unknown, isFine: boolean): value is T {
  return isFine && isRecord(value);
}
