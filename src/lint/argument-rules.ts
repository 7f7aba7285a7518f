/** Rules about arguments: no words, no unit. */
import type { JsonSchemaObject } from '../util/json-schema.ts';
import { splitWords } from '../derive/text/tool-text.ts';
import { type LintedArgument, type LintedServer, type LintedTool, isInformative } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';
import { stemsWithoutStopWords, hasOnlyKnownWords } from './words.ts';

const UNDESCRIBED = 30;
const UNITLESS = 10;

export const argumentRules: Rule[] = [
  {
    name: 'undescribed-argument',
    title: 'An argument has no words, format, pattern, enum, default or example',
    cost: UNDESCRIBED,
    isFixable: true,
    check: (server) => {
      const undescribed = new Set(server.tools.flatMap((linted) => linted.arguments.filter(isUndescribed)));
      const described = mapAgreedDescriptions(server, new Set([...undescribed].map(argumentKey)));
      return checkEachArgument(server, (linted, argument) => {
        if (!undescribed.has(argument)) return [];
        const description = described.get(argumentKey(argument));
        const cost = UNDESCRIBED / linted.arguments.length;
        const fix =
          description === undefined ? undefined : { arguments: { [argument.name]: { description } } };
        const parameters = { tool: linted.tool.name, argument: argument.name };
        const details = { at: argument.origin, argument: argument.name, cost, fix };
        return [makeFinding('undescribed-argument', parameters, linted, details)];
      });
    },
  },
  {
    name: 'argument-without-unit',
    title: 'A quantity has no unit',
    cost: UNITLESS,
    isFixable: false,
    check: (server) =>
      checkEachArgument(server, (linted, argument) => {
        if (!mayLackUnit(argument)) return [];
        const parameters = { tool: linted.tool.name, argument: argument.name };
        const cost = UNITLESS / linted.arguments.length;
        const details = { at: argument.origin, argument: argument.name, cost };
        return [makeFinding('argument-without-unit', parameters, linted, details)];
      }),
  },
];

function checkEachArgument(
  { tools }: LintedServer,
  check: (linted: LintedTool, argument: LintedArgument) => Finding[],
): Finding[] {
  return tools.flatMap((linted) => linted.arguments.flatMap((argument) => check(linted, argument)));
}

function isUndescribed({ name, schema }: LintedArgument): boolean {
  return (
    !isInformative(schema) &&
    hasOnlyKnownWords(titleAndDescription(schema), new Set(stemsWithoutStopWords(name)))
  );
}

function titleAndDescription({ title = '', description = '' }: JsonSchemaObject): string {
  return `${title} ${description}`;
}

/** Arguments of one name, type and place are taken for the same. */
function argumentKey({ name, place, schema: { type } }: LintedArgument): string {
  return JSON.stringify([name, place, type]);
}

/** One tool alone may describe the argument for itself. */
const LEAST_AGREEING = 2;
const VERB =
  /\b(?:add|creat|delet|edit|fetch|get|list|modif|read|remov|replac|retriev|set|updat)(?:e|es|ed|ing|y|ied)?\b/i;

/** The description of an argument, if several tools describe it, all alike, and it names no one operation. */
function mapAgreedDescriptions({ tools }: LintedServer, keys: ReadonlySet<string>): Map<string, string> {
  const descriptions = new Map<string, string[]>();
  for (const argument of tools.flatMap((linted) => linted.arguments)) {
    const key = argumentKey(argument);
    if (!keys.has(key)) continue;
    const { name, schema } = argument;
    const { description = '' } = schema;
    if (hasOnlyKnownWords(description, new Set(stemsWithoutStopWords(name)))) continue;
    const sameKey = descriptions.get(key);
    if (sameKey === undefined) descriptions.set(key, [description]);
    else sameKey.push(description);
  }
  const agreed = [...descriptions].filter(
    ([, [first = '', ...moreDescriptions]]) =>
      moreDescriptions.length + 1 >= LEAST_AGREEING &&
      moreDescriptions.every((other) => other === first) &&
      !VERB.test(first),
  );
  return new Map(agreed.map(([key, [first = '']]) => [key, first]));
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

function mayLackUnit({ name, schema }: LintedArgument): boolean {
  const types = [schema.type].flat();
  if (!types.includes('integer') && !types.includes('number')) return false;
  const nameWords = splitWords(name).map((word) => word.toLowerCase());
  return (
    QUANTITIES.has(nameWords.at(-1) ?? '') &&
    !UNITS.test(`${nameWords.join(' ')} ${titleAndDescription(schema)}`)
  );
}
