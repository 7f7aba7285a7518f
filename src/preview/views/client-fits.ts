/** Whether clients take what is listed, by the rules that `lint --client` checks. */
import { listedSchema } from '../../emit/index.ts';
import {
  CLIENT_NAMES,
  CLIENT_PROFILES,
  type ClientName,
  type ClientProfile,
} from '../../model/client-profiles.ts';
import { nameProblem, schemaProblem } from '../../model/client-rules.ts';
import { countListed } from '../../derive/listing-cost.ts';
import { listedTools } from '../../model/listed-tools.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import type { ClientFit } from '../protocol.ts';

/** Rules of schemas are checked for thousands of tools. */
const known = new WeakMap<ServerModel, ClientFit[]>();

export function clientFits(model: ServerModel): ClientFit[] {
  let fits = known.get(model);
  if (fits === undefined) known.set(model, (fits = CLIENT_NAMES.map((client) => clientFit(client, model))));
  return fits;
}

function clientFit(client: ClientName, model: ServerModel): ClientFit {
  const profile = CLIENT_PROFILES[client];
  const tools = listedTools(model);
  const problems = [
    tooMany(countListed(model), profile),
    count(tools, 'name', (tool) => nameProblem(tool.name, model.name, profile)),
    count(tools, 'argument', (tool) => argumentProblem(tool, profile)),
    count(tools, 'schema', (tool) => listedProblem(tool, profile)),
  ].filter((problem) => problem !== undefined);
  const read = `${profile.reviewed}: ${profile.sources.join(', ')}`;
  return { client, title: profile.title, fits: problems.length === 0, problems, read };
}

function tooMany(listed: number, { mostTools = Infinity }: ClientProfile): string | undefined {
  return listed > mostTools ? `${String(mostTools)} tools at most, ${String(listed)} are listed` : undefined;
}

function argumentProblem({ inputSchema }: Tool, { argumentNames }: ClientProfile): string | undefined {
  const wrong = Object.keys(inputSchema.properties ?? {}).find((name) => argumentNames?.test(name) === false);
  return wrong === undefined ? undefined : `the key ${JSON.stringify(wrong)} is refused`;
}

function listedProblem({ inputSchema }: Tool, { schema }: ClientProfile): string | undefined {
  if (schema === undefined) return undefined;
  return schemaProblem(listedSchema(inputSchema), schema, '#')?.rule;
}

/** `3 tools have a name that is refused, such as list.pets: names must match …` */
function count(
  tools: readonly Tool[],
  what: string,
  find: (tool: Tool) => string | undefined,
): string | undefined {
  const found = tools.flatMap((tool) => {
    const problem = find(tool);
    return problem === undefined ? [] : [{ name: tool.name, problem }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const have = found.length === 1 ? '1 tool has' : `${String(found.length)} tools have`;
  return `${have} a refused ${what}: ${first.name} (${first.problem})`;
}
