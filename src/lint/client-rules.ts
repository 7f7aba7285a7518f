/** Rules of clients and model APIs: `--client`. */
import { cutInputForListing } from '../emit/index.ts';
import { type ClientProfile, CLIENT_PROFILES } from '../model/client-profiles.ts';
import { findNameProblem, findSchemaProblem } from '../model/client-rules.ts';
import { countListed } from '../derive/listing-cost.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';

export const clientRules: Rule[] = [
  {
    name: 'client-refuses',
    title: 'A client refuses or misreads a name, an argument or a schema of a tool',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachProfile(server, (profile) =>
        server.tools.flatMap((linted) => [
          ...findRefusedName(linted, server.model.name, profile),
          ...findRefusedArguments(linted, profile),
          ...findRefusedSchema(linted, profile),
        ]),
      ),
  },
  {
    name: 'client-takes-fewer-tools',
    title: 'A client takes fewer tools',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachProfile(server, ({ title, mostTools = Infinity }) => {
        const [first] = server.tools;
        const tools = countListed(server.model);
        if (first === undefined || tools <= mostTools) return [];
        const finding = makeFinding(
          'client-takes-fewer-tools',
          { client: title, tools, limit: mostTools },
          first,
        );
        return [{ ...finding, tools: [] }];
      }),
  },
];

function findRefusedName(linted: LintedTool, serverName: string, profile: ClientProfile): Finding[] {
  const { name: tool } = linted.tool;
  const rule = findNameProblem(tool, serverName, profile);
  if (rule === undefined) return [];
  return [makeFinding('client-refuses', { client: profile.title, tool, what: 'the name', rule }, linted)];
}

function findRefusedArguments(linted: LintedTool, { title, argumentNames }: ClientProfile): Finding[] {
  if (argumentNames === undefined) return [];
  return linted.arguments
    .filter(({ name }) => !argumentNames.test(name))
    .map(({ name, origin }) => {
      const [what, rule] = [`the argument \`${name}\``, `keys must match ${String(argumentNames)}`];
      const parameters = { client: title, tool: linted.tool.name, what, rule };
      return makeFinding('client-refuses', parameters, linted, { at: origin });
    });
}

function findRefusedSchema(linted: LintedTool, { title, schema }: ClientProfile): Finding[] {
  if (schema === undefined) return [];
  const listed = cutInputForListing(linted.tool.inputSchema).schema;
  const problem = findSchemaProblem(listed, schema, '#');
  if (problem === undefined) return [];
  const what = `the input schema, at ${problem.at},`;
  return [
    makeFinding(
      'client-refuses',
      { client: title, tool: linted.tool.name, what, rule: problem.rule },
      linted,
    ),
  ];
}

function checkEachProfile(
  { clients }: LintedServer,
  check: (profile: ClientProfile) => Finding[],
): Finding[] {
  return clients.flatMap((name) => check(CLIENT_PROFILES[name]));
}
