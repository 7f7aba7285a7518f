import { ts } from 'ts-morph';
import type { FunctionBinding } from '../../../../templates/runtime/contract/bindings.ts';
import type { FunctionTool } from '../../../model/source-model.ts';
import type { Tag } from '../tags/read-block.ts';
import { type ItemContext, refuseHelper, targetOf } from './item.ts';
import { readParameters } from './parameters.ts';
import { returnedBy } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';

interface Target {
  tool: FunctionTool;
  tagged: Tagged;
}

/** `@prepare <tool>`: takes some of the tool's arguments, and returns values for its parameters. */
export function preparerOf(
  tagged: Tagged,
  tag: Tag,
  target: Target,
  context: ItemContext,
): FunctionBinding | undefined {
  const { call, input } = readParameters(tagged, context.source, context.types);
  const problem = findPrepareProblem(tagged, Object.keys(input.properties ?? {}), target, context);
  if (problem !== undefined) return refuseHelper(tagged, tag, problem, context);
  return { ...targetOf(tagged, context), ...call };
}

function findPrepareProblem(
  tagged: Tagged,
  taken: readonly string[],
  { tool, tagged: target }: Target,
  { source }: ItemContext,
): string | undefined {
  const { checker } = source;
  if ((tool.execution?.taskSupport ?? 'forbidden') === 'forbidden')
    return `${tool.name} is never a task (\`@task\`), so it can ask by itself`;
  const unknown = taken.find((name) => !Object.hasOwn(tool.input.properties ?? {}, name));
  if (unknown !== undefined) return `it takes ${unknown}, which is no argument of ${tool.name}`;
  const { type, streams } = returnedBy(tagged, source);
  const members = checker.getPropertiesOfType(type);
  if (
    streams !== false ||
    type.isUnion() ||
    (type.flags & ts.TypeFlags.Object) === 0 ||
    checker.isArrayType(type)
  )
    return 'it does not return an object of arguments';
  const parameters = mapParameters(target, tool, checker);
  for (const member of members) {
    const wanted = parameters.get(member.name);
    if (wanted === undefined) return `it returns ${member.name}, which is no parameter of ${tool.name}`;
    if (!checker.isTypeAssignableTo(checker.getTypeOfSymbol(member), wanted))
      return `it returns a ${member.name} that ${tool.name} does not take`;
  }
  return undefined;
}

/** Includes hidden parameters. */
function mapParameters(
  { signature }: Tagged,
  { binding: { parameters: names, contextAt } }: FunctionTool,
  checker: ts.TypeChecker,
): ReadonlyMap<string, ts.Type> {
  const own = signatureParameters(signature, checker).filter((_, index) => index !== contextAt);
  const [only] = own;
  if (names !== 'object' || only === undefined) return new Map(own.map(({ name, type }) => [name, type]));
  const members = checker.getPropertiesOfType(checker.getNonNullableType(only.type));
  return new Map(members.map((member) => [member.name, checker.getTypeOfSymbol(member)]));
}
