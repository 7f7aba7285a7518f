/** A template as a row of slots, each of which takes a run of a URI's characters: what the matcher walks over. */
import { normalizeTriplets } from './percent.ts';
import {
  type Expression,
  type Operator,
  operatorRules,
  type UriTemplate,
  type VariableSpec,
} from './uri-template.ts';

export type Slot = LiteralSlot | ValueSlot | NamedSlot;

/** Text that must stand as it is. */
export interface LiteralSlot {
  kind: 'literal';
  text: string;
}

interface Run {
  /** What comes before the characters: at most one character. */
  lead: string;
  /** May be absent with its lead. */
  optional: boolean;
  /** Characters the run cannot hold. */
  excluded: ReadonlySet<string>;
  /** Least number of characters. */
  least: 0 | 1;
}

/** The value of one variable. */
export interface ValueSlot extends Run {
  kind: 'value';
  variable: VariableSpec;
  /** May come again with its lead (an exploded list of `{/list*}`). */
  repeats: boolean;
  /** Commas are part of a text, not of a list. */
  keepsCommas: boolean;
}

/** `name=value` members in any order: `{?a,b}`, `{&a}`, `{;a}`. */
export interface NamedSlot extends Run {
  kind: 'named';
  separator: string;
  variables: readonly VariableSpec[];
  repeats: false;
}

/** Where a path segment ends. */
const delimiters = ['/', '?', '#'];

export function toSlots(template: UriTemplate): Slot[] {
  const parts = mergeNeighbours(template);
  return parts.flatMap((part, index) => {
    if ('literal' in part) return [{ kind: 'literal', text: normalizeTriplets(part.literal) }];
    return expressionSlots(part, leadAfter(parts[index + 1]));
  });
}

/** `{/a}{/b}` says what `{/a,b}` says, and `{?a}{&b}` what `{?a,b}` says. */
function mergeNeighbours(template: UriTemplate): UriTemplate {
  const merged: UriTemplate = [];
  for (const part of template) {
    const last = merged.at(-1);
    if (
      last === undefined ||
      'literal' in last ||
      'literal' in part ||
      !continues(last.operator, part.operator)
    ) {
      merged.push(part);
    } else {
      merged[merged.length - 1] = { ...last, variables: [...last.variables, ...part.variables] };
    }
  }
  return merged;
}

function continues(first: Operator, second: Operator): boolean {
  return first === second ? './;&'.includes(first) && first !== '' : first === '?' && second === '&';
}

/** A run stops where the operator of the expression that follows at once may begin. */
function leadAfter(next: UriTemplate[number] | undefined): string[] {
  if (next === undefined || 'literal' in next) return [];
  const { first } = operatorRules[next.operator];
  return first === '' ? [] : [first];
}

function expressionSlots({ operator, variables }: Expression, stops: readonly string[]): Slot[] {
  const { first, separator, named, allowReserved } = operatorRules[operator];
  if (named) {
    const outside = operator === ';' ? delimiters : ['#'];
    const excluded = new Set([...outside, ...stops]);
    return [
      {
        kind: 'named',
        lead: first,
        optional: true,
        excluded,
        least: 1,
        separator,
        variables,
        repeats: false,
      },
    ];
  }
  const single = variables.length === 1;
  return variables.map((variable, index) => {
    const repeats = separator !== ',' && variable.explode === true;
    const outside = allowReserved ? [] : delimiters;
    const between =
      single && !repeats ? [] : separator === ',' && variable.explode === true ? [] : [separator];
    return {
      kind: 'value',
      variable,
      lead: index === 0 ? first : separator,
      optional: first !== '' || index > 0,
      excluded: new Set([...outside, ...stops, ...between]),
      least: first === '' ? 1 : 0,
      repeats,
      keepsCommas: allowReserved,
    };
  });
}
