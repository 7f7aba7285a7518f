/** Rules of clients and model APIs: `--client`. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { listSubschemas } from '../../templates/runtime/contract/json-schema.ts';
import { listedSchema } from '../emit/index.ts';
import { type ClientProfile, type SchemaRules, clientProfile } from '../model/client-profiles.ts';
import type { LintedServer } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';

export const clientRules: Rule[] = [
  {
    name: 'client-refuses-name',
    title: 'A client refuses the name of a tool',
    cost: 0,
    isFixable: false,
    check: (server) =>
      eachProfile(server, (profile) =>
        server.tools.flatMap((linted) => {
          const rule = nameProblem(linted.tool.name, server.model.name, profile);
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
      eachProfile(server, ({ title, argumentNames }) =>
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
      eachProfile(server, ({ title, schema }) =>
        schema === undefined
          ? []
          : server.tools.flatMap((linted) => {
              const problem = schemaProblem(listedSchema(linted.tool.inputSchema), schema, '#');
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
      eachProfile(server, ({ title, mostTools = Infinity }) => {
        const [first] = server.tools;
        const tools = server.tools.length;
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

function eachProfile({ clients }: LintedServer, check: (profile: ClientProfile) => Finding[]): Finding[] {
  return clients.flatMap((name) => check(clientProfile(name)));
}

/** The rule that a name breaks. The longest name counts together with the server's where the client joins them. */
export function nameProblem(name: string, server: string, { names }: ClientProfile): string | undefined {
  if (names === undefined) return undefined;
  const { pattern, longest, added } = names;
  if (!pattern.test(name)) return `names must match ${String(pattern)}`;
  const length = added === undefined ? name.length : server.length + added + name.length;
  if (length <= longest) return undefined;
  const what = added === undefined ? 'the name has' : `with the server's name it has`;
  return `${what} ${String(length)} characters of at most ${String(longest)}`;
}

interface SchemaProblem {
  /** JSON Pointer in the input schema. */
  at: string;
  rule: string;
}

/** The first place that breaks a rule. */
export function schemaProblem(schema: JsonSchema, rules: SchemaRules, at: string): SchemaProblem | undefined {
  if (typeof schema === 'boolean') return undefined;
  const rule = brokenRule(schema, rules);
  if (rule !== undefined) return { at, rule };
  for (const { step, schema: inner } of listSubschemas(schema)) {
    const problem = schemaProblem(inner, rules, `${at}${step}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function brokenRule(
  schema: JsonSchemaObject,
  { oneType, items, besideRef, noRef }: SchemaRules,
): string | undefined {
  const { type, $ref } = schema;
  if (oneType === true && Array.isArray(type)) return '`type` must be one type, not a list';
  const isArray = [type].flat().includes('array');
  if (items === true && isArray && schema.items === undefined && schema.prefixItems === undefined)
    return 'an array must have `items`';
  if ($ref === undefined) return undefined;
  if (noRef === true) return 'a `$ref` is read as an empty object';
  const others = Object.keys(schema).filter(
    (keyword) => keyword !== '$ref' && besideRef?.includes(keyword) === false,
  );
  return others.length === 0 ? undefined : `\`${others[0] ?? ''}\` may not be beside \`$ref\``;
}
