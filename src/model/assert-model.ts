/**
 * What must hold of every ServerModel before anything is emitted. A violation is a bug of ours: the source's
 * problems were reported, and worked around, before.
 */
import type {
  Binding,
  CompletionBinding,
  HttpBinding,
  PromptBinding,
  ResourceBinding,
} from '../../templates/runtime/bindings.ts';
import { assertSchema } from './assert-schema.ts';
import type { Prompt, Resource, ResourceTemplate, ServerModel, Tool } from './server-model.ts';
import { ModelError } from './model-error.ts';

export { ModelError } from './model-error.ts';

const itemName = /^[A-Za-z0-9_.-]{1,128}$/;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;
const uriScheme = /^[a-z][a-z0-9+.-]*:/i;

/** Throws `ModelError` at the first invariant that does not hold. */
export function assertModel(model: ServerModel): void {
  assertUnique(model.tools, ({ name }) => name, 'tool');
  assertUnique(model.resources, ({ uri }) => uri, 'resource');
  assertUnique(model.resourceTemplates, ({ uriTemplate }) => uriTemplate, 'resource template');
  assertUnique(model.prompts, ({ name }) => name, 'prompt');
  const tools = new Map(model.tools.map((tool) => [tool.name, tool]));
  for (const tool of model.tools) assertTool(tool, model);
  for (const resource of model.resources) assertResource(resource, tools, model);
  for (const template of model.resourceTemplates) assertTemplate(template, tools, model);
  for (const prompt of model.prompts) assertPrompt(prompt);
  for (const completion of model.completions) assertCompletion(completion, model);
}

function assertUnique<T>(items: readonly T[], keyOf: (item: T) => string, kind: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    check(!seen.has(key), `${kind} ${key}`, 'stands twice');
    seen.add(key);
  }
}

function assertTool({ name, inputSchema, outputSchema, binding }: Tool, model: ServerModel): void {
  const what = `tool ${name}`;
  check(itemName.test(name), what, 'has an invalid name');
  assertSchema(inputSchema, `${what}, inputSchema`);
  if (outputSchema !== undefined) assertSchema(outputSchema, `${what}, outputSchema`);
  const properties = Object.keys(inputSchema.properties ?? {});
  for (const key of properties) check(argumentName.test(key), what, `has an invalid argument ${key}`);
  for (const key of inputSchema.required ?? []) {
    check(properties.includes(key), what, `requires ${key}, which is no argument`);
  }
  assertBinding(binding, properties, what, model);
}

function assertBinding(
  binding: Binding,
  properties: readonly string[],
  what: string,
  model: ServerModel,
): void {
  if (binding.kind === 'function') return;
  const bound = boundArguments(binding);
  check(new Set(bound).size === bound.length, what, 'binds an argument twice');
  for (const argument of bound)
    check(properties.includes(argument), what, `binds ${argument}, which the schema lacks`);
  for (const argument of properties)
    check(bound.includes(argument), what, `has ${argument}, which goes nowhere`);
  assertHttp(binding, what, model);
}

function assertHttp(binding: HttpBinding, what: string, { upstream }: ServerModel): void {
  check(upstream !== undefined, what, 'speaks HTTP, but the model has no upstream');
  const schemes = upstream?.securitySchemes ?? {};
  for (const name of (binding.security ?? []).flatMap((requirement) => Object.keys(requirement))) {
    check(Object.hasOwn(schemes, name), what, `needs the security scheme ${name}, which the upstream lacks`);
  }
  const { requiredTogether = [], properties = [] } = binding.body ?? {};
  for (const name of requiredTogether) {
    check(
      properties.some((property) => property.name === name),
      what,
      `wants ${name} in its body, which lacks it`,
    );
  }
}

function boundArguments({ parameters, body }: HttpBinding): string[] {
  const whole = body?.argument === undefined ? [] : [body.argument];
  const properties = (body?.properties ?? []).map(({ argument }) => argument);
  return [...parameters.map(({ argument }) => argument), ...whole, ...properties];
}

function assertResource(resource: Resource, tools: ReadonlyMap<string, Tool>, model: ServerModel): void {
  const what = `resource ${resource.uri}`;
  check(uriScheme.test(resource.uri) && URL.canParse(resource.uri), what, 'is no URI');
  check(itemName.test(resource.name), what, 'has an invalid name');
  assertReading(resource.binding, [], what, tools, model);
}

function assertTemplate(
  template: ResourceTemplate,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const what = `resource template ${template.uriTemplate}`;
  check(uriScheme.test(template.uriTemplate), what, 'has no scheme');
  check(itemName.test(template.name), what, 'has an invalid name');
  const variables = variablesOf(template.uriTemplate);
  for (const variable of variables)
    check(/^[A-Za-z0-9_]+$/.test(variable), what, `has an invalid variable ${variable}`);
  check(new Set(variables).size === variables.length, what, 'names a variable twice');
  assertReading(template.binding, variables, what, tools, model);
}

/** The names in a template's expressions (RFC 6570), without operators and modifiers. */
function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((variable) => variable.replace(/\*$|:\d+$/, '')),
  );
}

function assertReading(
  { do: work, variables = {}, schemas = {} }: ResourceBinding,
  names: readonly string[],
  what: string,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const known = argumentsOf(work, what, tools);
  const bound = names.map((name) => (Object.hasOwn(variables, name) ? variables[name] : name) ?? name);
  if (known !== undefined) {
    for (const argument of bound)
      check(known.includes(argument), what, `has the variable ${argument}, which goes nowhere`);
  }
  for (const name of Object.keys(variables))
    check(names.includes(name), what, `renames ${name}, which is no variable`);
  for (const argument of Object.keys(schemas))
    check(bound.includes(argument), what, `types ${argument}, which is no variable`);
  if (work.kind === 'http') assertHttp(work, what, model);
}

/** `undefined` for a function, whose parameters the model does not name. */
function argumentsOf(
  work: ResourceBinding['do'],
  what: string,
  tools: ReadonlyMap<string, Tool>,
): string[] | undefined {
  if (work.kind === 'function') return work.parameters === 'object' ? undefined : work.parameters;
  if (work.kind === 'http') return boundArguments(work);
  const tool = tools.get(work.name);
  check(tool !== undefined, what, `refers to the tool ${work.name}, which does not exist`);
  return Object.keys(tool?.inputSchema.properties ?? {});
}

function assertPrompt({ name, arguments: args = [], binding }: Prompt): void {
  const what = `prompt ${name}`;
  check(itemName.test(name), what, 'has an invalid name');
  assertUnique(args, (each) => each.name, `argument of ${what}`);
  for (const each of args) check(argumentName.test(each.name), what, `has an invalid argument ${each.name}`);
  assertMessages(binding, what);
}

function assertMessages(binding: PromptBinding, what: string): void {
  if (binding.kind === 'template') check(binding.messages.length > 0, what, 'has no message');
}

function assertCompletion({ ref, argument }: CompletionBinding, model: ServerModel): void {
  const what = `completion of ${argument} for ${ref.kind} ${ref.kind === 'prompt' ? ref.name : ref.uri}`;
  check(argumentsOfReferred(ref, model)?.includes(argument) === true, what, 'refers to nothing');
}

function argumentsOfReferred(ref: CompletionBinding['ref'], model: ServerModel): string[] | undefined {
  if (ref.kind === 'prompt') {
    const prompt = model.prompts.find(({ name }) => name === ref.name);
    return prompt === undefined ? undefined : (prompt.arguments ?? []).map(({ name }) => name);
  }
  const template = model.resourceTemplates.find(({ uriTemplate }) => uriTemplate === ref.uri);
  return template === undefined ? undefined : variablesOf(template.uriTemplate);
}

function check(holds: boolean, what: string, problem: string): void {
  if (!holds) throw new ModelError(`${what} ${problem}`);
}
