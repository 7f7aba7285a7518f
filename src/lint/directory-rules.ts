/** Rules of directories of servers: `--directory`. */
import type { ToolAnnotations } from '../../templates/runtime/contract/json-schema.ts';
import { DIRECTORIES, type DirectoryName } from '../model/client-profiles.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';
import { stemsWithoutStopWords, hasOnlyKnownWords } from './words.ts';

export const directoryRules: Rule[] = [
  {
    name: 'directory-wants-title',
    title: 'A directory wants a title',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachTool(server, ['claude'], (directory, linted) => {
        const { title, annotations } = linted.tool;
        return (title ?? annotations?.title ?? '') === ''
          ? [makeFinding('directory-wants-title', { directory, tool: linted.tool.name }, linted)]
          : [];
      }),
  },
  {
    name: 'directory-wants-hints',
    title: 'A directory wants hints outright',
    cost: 0,
    isFixable: true,
    check: (server) => [
      ...checkEachTool(server, ['claude'], (directory, linted) => {
        const { readOnlyHint, destructiveHint } = linted.tool.annotations ?? {};
        const applies = readOnlyHint === true || destructiveHint !== undefined;
        return applies
          ? []
          : [makeMissingHintsFinding(directory, linted, ['readOnlyHint', 'destructiveHint'])];
      }),
      ...checkEachTool(server, ['chatgpt'], (directory, linted) => {
        const missing = HINTS.filter((hint) => linted.tool.annotations?.[hint] === undefined);
        return missing.length === 0 ? [] : [makeMissingHintsFinding(directory, linted, missing)];
      }),
    ],
  },
  {
    name: 'directory-refuses-catch-all',
    title: 'A directory refuses tools that do anything',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachTool(server, ['claude'], (directory, linted) => {
        const taken = linted.arguments.find(
          ({ name, schema }) => CATCH_ALL.test(name) && schema.enum === undefined,
        );
        const parameters = { directory, tool: linted.tool.name, argument: taken?.name ?? '' };
        return taken === undefined ||
          linted.arguments.length > MOST_ARGUMENTS ||
          !GENERIC.test(linted.tool.name)
          ? []
          : [makeFinding('directory-refuses-catch-all', parameters, linted)];
      }),
  },
  {
    name: 'directory-calls-tautological',
    title: 'A directory marks a description down',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachTool(server, ['glama'], (directory, linted) => {
        const { name, title = '', description = '' } = linted.tool;
        const known = new Set(stemsWithoutStopWords(`${name} ${title}`));
        return hasOnlyKnownWords(description, known)
          ? [
              makeFinding(
                'directory-calls-tautological',
                { directory, tool: name, words: description },
                linted,
              ),
            ]
          : [];
      }),
  },
];

const HINTS = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const;

/** The protocol takes these values where a hint is absent (2025-03-26 and later). */
const DEFAULTS: Pick<Required<ToolAnnotations>, (typeof HINTS)[number]> = {
  readOnlyHint: false,
  destructiveHint: true,
  openWorldHint: true,
};

const CATCH_ALL = /^(?:command|method|code|script|sql|query|expression)$/i;
const GENERIC = /(?:^|_)(?:execute|exec|run|eval|invoke|request|graphql)(?:_|$)/i;
const MOST_ARGUMENTS = 4;

function makeMissingHintsFinding(
  directory: string,
  linted: LintedTool,
  hints: readonly (typeof HINTS)[number][],
): Finding {
  const { annotations = {} } = linted.tool;
  const stated = HINTS.map((hint) => [hint, annotations[hint] ?? DEFAULTS[hint]]);
  const parameters = { directory, tool: linted.tool.name, hints: hints.join(' and ') };
  const fix = { annotations: Object.fromEntries(stated) as ToolAnnotations };
  return makeFinding('directory-wants-hints', parameters, linted, { fix });
}

function checkEachTool(
  { directories, tools }: LintedServer,
  names: readonly DirectoryName[],
  check: (title: string, linted: LintedTool) => Finding[],
): Finding[] {
  return directories
    .filter((name) => names.includes(name))
    .flatMap((name) => tools.flatMap((linted) => check(DIRECTORIES[name].title, linted)));
}
