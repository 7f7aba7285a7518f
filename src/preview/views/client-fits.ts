/** Whether clients take what is listed, by the rules that `lint --client` checks. */
import { toListedSchema } from '../../emit/index.ts';
import {
  CLIENT_NAMES,
  CLIENT_PROFILES,
  type ClientName,
  type ClientProfile,
} from '../../model/client-profiles.ts';
import { findNameProblem, findSchemaProblem } from '../../model/client-rules.ts';
import { countListed } from '../../derive/listing-cost.ts';
import { toolsToList } from '../../model/listed-tools.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import type { ClientFit } from '../protocol.ts';

export function listClientFits(model: ServerModel): ClientFit[] {
  return CLIENT_NAMES.map((client) => judgeClientFit(client, model));
}

function judgeClientFit(client: ClientName, model: ServerModel): ClientFit {
  const profile = CLIENT_PROFILES[client];
  const tools = toolsToList(model);
  const problems = [
    findTooManyTools(countListed(model), profile),
    describeProblemTools(tools, 'name', (tool) => findNameProblem(tool.name, model.name, profile)),
    describeProblemTools(tools, 'argument', (tool) => findArgumentProblem(tool, profile)),
    describeProblemTools(tools, 'schema', (tool) => findListedSchemaProblem(tool, profile)),
  ].filter((problem) => problem !== undefined);
  const read = profile.sources.join(', ');
  return { client, title: profile.title, fits: problems.length === 0, problems, read };
}

function findTooManyTools(listed: number, { mostTools = Infinity }: ClientProfile): string | undefined {
  return listed > mostTools ? `${String(mostTools)} tools at most, ${String(listed)} are listed` : undefined;
}

function findArgumentProblem({ inputSchema }: Tool, { argumentNames }: ClientProfile): string | undefined {
  const wrong = Object.keys(inputSchema.properties ?? {}).find((name) => argumentNames?.test(name) === false);
  return wrong === undefined ? undefined : `the key ${JSON.stringify(wrong)} is refused`;
}

function findListedSchemaProblem({ inputSchema }: Tool, { schema }: ClientProfile): string | undefined {
  if (schema === undefined) return undefined;
  return findSchemaProblem(toListedSchema(inputSchema), schema, '#')?.rule;
}

/** `3 tools have a name that is refused, such as list.pets: names must match …` */
function describeProblemTools(
  tools: readonly Tool[],
  what: string,
  find: (tool: Tool) => string | undefined,
): string | undefined {
  const misfits = tools.flatMap((tool) => {
    const problem = find(tool);
    return problem === undefined ? [] : [{ name: tool.name, problem }];
  });
  const [first] = misfits;
  if (first === undefined) return undefined;
  const have = misfits.length === 1 ? '1 tool has' : `${String(misfits.length)} tools have`;
  return `${have} a refused ${what}: ${first.name} (${first.problem})`;
}
