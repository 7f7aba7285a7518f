import type { ResourceBinding } from '../../templates/runtime/contract/bindings.ts';
import { assertHttp, boundArguments } from './assert-binding.ts';
import { assertItemName } from './assert-names.ts';
import { fail } from './model-error.ts';
import type { Resource, ResourceTemplate, ServerModel, Tool } from './server-model.ts';

const uriScheme = /^[a-z][a-z0-9+.-]*:/i;

export function assertResource(
  resource: Resource,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const what = `resource ${resource.uri}`;
  if (!uriScheme.test(resource.uri) || !URL.canParse(resource.uri)) fail(what, 'is no URI');
  assertItemName(resource.name, what);
  assertReading(resource.binding, [], what, tools, model);
}

export function assertTemplate(
  template: ResourceTemplate,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const what = `resource template ${template.uriTemplate}`;
  if (!uriScheme.test(template.uriTemplate)) fail(what, 'has no scheme');
  assertItemName(template.name, what);
  const variables = variablesOf(template.uriTemplate);
  for (const variable of variables)
    if (!/^[A-Za-z0-9_]+$/.test(variable)) fail(what, `has an invalid variable ${variable}`);
  if (template.binding.do.kind !== 'function' && new Set(variables).size < variables.length)
    fail(what, 'names a variable twice');
  assertReading(template.binding, variables, what, tools, model);
}

/** The names in a template's expressions (RFC 6570), without operators and modifiers. */
export function variablesOf(template: string): string[] {
  const expressions = template.match(/\{[^{}]*\}/g) ?? [];
  return expressions.flatMap((expression) => {
    const variables = expression.slice(/^\{[+#./;?&]/.test(expression) ? 2 : 1, -1).split(',');
    return /[*:]/.test(expression) ? variables.map((each) => each.replace(/\*$|:\d+$/, '')) : variables;
  });
}

function assertReading(
  { do: work, variables = {}, schemas = {} }: ResourceBinding,
  names: readonly string[],
  what: string,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const known = listArguments(work, what, tools);
  const bound = names.map((name) => (Object.hasOwn(variables, name) ? variables[name] : name) ?? name);
  if (known !== undefined) {
    for (const argument of bound)
      if (!known.includes(argument)) fail(what, `has the variable ${argument}, which goes nowhere`);
  }
  for (const name of Object.keys(variables))
    if (!names.includes(name)) fail(what, `renames ${name}, which is no variable`);
  for (const argument of Object.keys(schemas))
    if (!bound.includes(argument)) fail(what, `types ${argument}, which is no variable`);
  if (work.kind === 'http') assertHttp(work, what, model);
}

/** `undefined` for a function, whose parameters the model does not name. */
function listArguments(
  work: ResourceBinding['do'],
  what: string,
  tools: ReadonlyMap<string, Tool>,
): string[] | undefined {
  if (work.kind === 'function') return work.parameters === 'object' ? undefined : work.parameters;
  if (work.kind === 'http') return boundArguments(work);
  const tool = tools.get(work.name);
  if (tool === undefined) fail(what, `refers to the tool ${work.name}, which does not exist`);
  return Object.keys(tool.inputSchema.properties ?? {});
}
