/** Rules of clients and model APIs: `--client`. */
import { cutInputForListing } from '../emit/index.ts';
import { type ClientProfile, CLIENT_PROFILES } from '../model/client-profiles.ts';
import { findNameProblem, findSchemaProblem } from '../model/client-rules.ts';
import { countListed } from '../derive/listing-cost.ts';
import { findDraft07Fault } from './draft-07.ts';
import type { LintedServer } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';

export const clientRules: Rule[] = [
  {
    name: 'client-refuses-name',
    title: 'A client refuses the name of a tool',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachProfile(server, (profile) =>
        server.tools.flatMap((linted) => {
          const rule = findNameProblem(linted.tool.name, server.model.name, profile);
          const parameters = { client: profile.title, tool: linted.tool.name, rule: rule ?? '' };
          return rule === undefined ? [] : [makeFinding('client-refuses-name', parameters, linted)];
        }),
      ),
  },
  {
    name: 'client-refuses-argument',
    title: 'A client refuses the key of an argument',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachProfile(server, ({ title, argumentNames }) =>
        server.tools.flatMap((linted) =>
          linted.arguments
            .filter(({ name }) => argumentNames?.test(name) === false)
            .map(({ name, origin }) => {
              const rule = `keys must match ${String(argumentNames)}`;
              const parameters = { client: title, tool: linted.tool.name, argument: name, rule };
              return makeFinding('client-refuses-argument', parameters, linted, { at: origin });
            }),
        ),
      ),
  },
  {
    name: 'client-refuses-schema',
    title: 'A client refuses or misreads a schema',
    cost: 0,
    isFixable: false,
    check: (server) =>
      checkEachProfile(server, ({ title, schema }) =>
        schema === undefined
          ? []
          : server.tools.flatMap((linted) => {
              const listed = cutInputForListing(linted.tool.inputSchema).schema;
              const problem =
                findSchemaProblem(listed, schema, '#') ??
                (schema.draft07 === true ? findDraft07Fault(listed) : undefined);
              const parameters = { client: title, tool: linted.tool.name, at: '', rule: '', ...problem };
              return problem === undefined ? [] : [makeFinding('client-refuses-schema', parameters, linted)];
            }),
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
        const found = makeFinding(
          'client-takes-fewer-tools',
          { client: title, tools, limit: mostTools },
          first,
        );
        return [{ ...found, tools: [] }];
      }),
  },
];

function checkEachProfile(
  { clients }: LintedServer,
  check: (profile: ClientProfile) => Finding[],
): Finding[] {
  return clients.flatMap((name) => check(CLIENT_PROFILES[name]));
}
