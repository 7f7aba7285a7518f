/** Rules about arguments: no words, no unit. */
import type { JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { splitWords } from '../derive/text/tool-text.ts';
import { type LintedArgument, isTelling } from './linted-arguments.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';
import { contentWords, saysOnly } from './words.ts';

const UNDESCRIBED = 30;
const UNITLESS = 10;

export const argumentRules: Rule[] = [
  {
    name: 'undescribed-argument',
    title: 'An argument has no words, format, pattern, enum, default or example',
    cost: UNDESCRIBED,
    isFixable: true,
    check: (server) => {
      const described = agreedDescriptions(server);
      return eachArgument(server, (linted, argument) => {
        if (!isUndescribed(argument)) return [];
        const description = described.get(argumentKey(argument));
        const cost = UNDESCRIBED / linted.arguments.length;
        const fix =
          description === undefined ? undefined : { arguments: { [argument.name]: { description } } };
        const parameters = { tool: linted.tool.name, argument: argument.name };
        return [
          makeFinding('undescribed-argument', parameters, linted, {
            at: argument.origin,
            cost,
            ...(fix && { fix }),
          }),
        ];
      });
    },
  },
  {
    name: 'argument-without-unit',
    title: 'A quantity has no unit',
    cost: UNITLESS,
    isFixable: false,
    check: (server) =>
      eachArgument(server, (linted, argument) => {
        if (!lacksUnit(argument)) return [];
        const parameters = { tool: linted.tool.name, argument: argument.name };
        const cost = UNITLESS / linted.arguments.length;
        return [makeFinding('argument-without-unit', parameters, linted, { at: argument.origin, cost })];
      }),
  },
];

function eachArgument(
  { tools }: LintedServer,
  check: (linted: LintedTool, argument: LintedArgument) => Finding[],
): Finding[] {
  return tools.flatMap((linted) => linted.arguments.flatMap((argument) => check(linted, argument)));
}

function isUndescribed({ name, schema }: LintedArgument): boolean {
  return !isTelling(schema) && saysOnly(wordsOf(schema), new Set(contentWords(name)));
}

function wordsOf({ title = '', description = '' }: JsonSchemaObject): string {
  return `${title} ${description}`;
}

/** Arguments of one name and type are taken for the same. */
function argumentKey({ name, schema: { type } }: LintedArgument): string {
  return JSON.stringify([name, type]);
}

/** The description of an argument, if all tools that describe it say the same. */
function agreedDescriptions({ tools }: LintedServer): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const argument of tools.flatMap((linted) => linted.arguments)) {
    const { name, schema } = argument;
    const { description = '' } = schema;
    if (saysOnly(description, new Set(contentWords(name)))) continue;
    const key = argumentKey(argument);
    found.set(key, (found.get(key) ?? new Set()).add(description));
  }
  return new Map(
    [...found].flatMap(([key, [only = '', ...others]]) => (others.length === 0 ? [[key, only]] : [])),
  );
}

/** Last words of names that are quantities of something. */
const QUANTITIES = new Set(
  (
    'age amount delay depth distance duration elapsed height interval length lifetime period pressure price radius ' +
    'speed temperature timeout ttl volume weight width'
  ).split(' '),
);

const UNITS =
  /\b(?:(?:milli|micro|nano)?seconds?|secs?|ms|minutes?|mins?|hours?|days?|weeks?|months?|years?|bytes?|[kmg]i?b|characters?|chars?|items?|levels?|pixels?|px|points?|percent(?:age)?|cents?|dollars?|euros?|usd|eur|currency|unit|units|(?:kilo|centi|milli)?met(?:er|re)s?|km|cm|mm|miles?|feet|inch(?:es)?|(?:kilo)?grams?|kg|pounds?|lbs?|ounces?|celsius|fahrenheit|kelvin|lit(?:er|re)s?)\b|%|°/i;

function lacksUnit({ name, schema }: LintedArgument): boolean {
  const types = [schema.type].flat();
  if (!types.includes('integer') && !types.includes('number')) return false;
  const words = splitWords(name).map((word) => word.toLowerCase());
  return QUANTITIES.has(words.at(-1) ?? '') && !UNITS.test(`${words.join(' ')} ${wordsOf(schema)}`);
}
