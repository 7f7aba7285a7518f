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
import { assertSchema, assertTop } from './assert-schema.ts';
import type { Prompt, Resource, ResourceTemplate, ServerModel, Tool } from './server-model.ts';
import { ModelError } from './model-error.ts';

export { ModelError } from './model-error.ts';

const itemName = /^[A-Za-z0-9_.-]{1,128}$/;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;
const uriScheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Throws `ModelError` at the first invariant that does not hold. What every run can afford; `assertSchemas` looks
 * deeper.
 */
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
  const completable = argumentsByReference(model);
  for (const completion of model.completions) assertCompletion(completion, completable);
}

/** Throws `ModelError` at the first schema that clients would stumble over. Walks all of them. */
export function assertSchemas({ tools }: Pick<ServerModel, 'tools'>): void {
  for (const { name, inputSchema, outputSchema } of tools) {
    assertSchema(inputSchema, `tool ${name}, inputSchema`);
    if (outputSchema !== undefined) assertSchema(outputSchema, `tool ${name}, outputSchema`);
  }
}

function assertUnique<T>(items: readonly T[], keyOf: (item: T) => string, kind: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) fail(`${kind} ${key}`, 'stands twice');
    seen.add(key);
  }
}

function assertTool({ name, inputSchema, outputSchema, binding }: Tool, model: ServerModel): void {
  const what = `tool ${name}`;
  if (!itemName.test(name)) fail(what, 'has an invalid name');
  assertTop(inputSchema, `${what}, inputSchema`);
  if (outputSchema !== undefined) assertTop(outputSchema, `${what}, outputSchema`);
  const properties = Object.keys(inputSchema.properties ?? {});
  for (const key of properties) if (!argumentName.test(key)) fail(what, `has an invalid argument ${key}`);
  for (const key of inputSchema.required ?? []) {
    if (!properties.includes(key)) fail(what, `requires ${key}, which is no argument`);
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
  if (new Set(bound).size < bound.length) fail(what, 'binds an argument twice');
  for (const argument of bound)
    if (!properties.includes(argument)) fail(what, `binds ${argument}, which the schema lacks`);
  for (const argument of properties)
    if (!bound.includes(argument)) fail(what, `has ${argument}, which goes nowhere`);
  assertHttp(binding, what, model);
}

function assertHttp(binding: HttpBinding, what: string, { upstream }: ServerModel): void {
  if (upstream === undefined) fail(what, 'speaks HTTP, but the model has no upstream');
  const schemes = upstream.securitySchemes;
  for (const name of (binding.security ?? []).flatMap((requirement) => Object.keys(requirement))) {
    if (!Object.hasOwn(schemes, name))
      fail(what, `needs the security scheme ${name}, which the upstream lacks`);
  }
  const { requiredTogether = [], properties = [] } = binding.body ?? {};
  for (const name of requiredTogether) {
    if (!properties.some((property) => property.name === name))
      fail(what, `wants ${name} in its body, which lacks it`);
  }
}

function boundArguments({ parameters, body }: HttpBinding): string[] {
  const whole = body?.argument === undefined ? [] : [body.argument];
  const properties = (body?.properties ?? []).map(({ argument }) => argument);
  return [...parameters.map(({ argument }) => argument), ...whole, ...properties];
}

function assertResource(resource: Resource, tools: ReadonlyMap<string, Tool>, model: ServerModel): void {
  const what = `resource ${resource.uri}`;
  if (!uriScheme.test(resource.uri) || !URL.canParse(resource.uri)) fail(what, 'is no URI');
  if (!itemName.test(resource.name)) fail(what, 'has an invalid name');
  assertReading(resource.binding, [], what, tools, model);
}

function assertTemplate(
  template: ResourceTemplate,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const what = `resource template ${template.uriTemplate}`;
  if (!uriScheme.test(template.uriTemplate)) fail(what, 'has no scheme');
  if (!itemName.test(template.name)) fail(what, 'has an invalid name');
  const variables = variablesOf(template.uriTemplate);
  for (const variable of variables)
    if (!/^[A-Za-z0-9_]+$/.test(variable)) fail(what, `has an invalid variable ${variable}`);
  if (new Set(variables).size < variables.length) fail(what, 'names a variable twice');
  assertReading(template.binding, variables, what, tools, model);
}

/** The names in a template's expressions (RFC 6570), without operators and modifiers. */
function variablesOf(template: string): string[] {
  const expressions = template.match(/\{[^{}]*\}/g) ?? [];
  return expressions.flatMap((expression) =>
    expression
      .slice(/^\{[+#./;?&]/.test(expression) ? 2 : 1, -1)
      .split(',')
      .map((variable) => variable.replace(/\*$|:\d+$/, '')),
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
      if (!known.includes(argument)) fail(what, `has the variable ${argument}, which goes nowhere`);
  }
  for (const name of Object.keys(variables))
    if (!names.includes(name)) fail(what, `renames ${name}, which is no variable`);
  for (const argument of Object.keys(schemas))
    if (!bound.includes(argument)) fail(what, `types ${argument}, which is no variable`);
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
  if (tool === undefined) fail(what, `refers to the tool ${work.name}, which does not exist`);
  return Object.keys(tool.inputSchema.properties ?? {});
}

function assertPrompt({ name, arguments: args = [], binding }: Prompt): void {
  const what = `prompt ${name}`;
  if (!itemName.test(name)) fail(what, 'has an invalid name');
  assertUnique(args, (each) => each.name, `argument of ${what}`);
  for (const each of args)
    if (!argumentName.test(each.name)) fail(what, `has an invalid argument ${each.name}`);
  assertMessages(binding, what);
}

function assertMessages(binding: PromptBinding, what: string): void {
  if (binding.kind === 'template' && binding.messages.length === 0) fail(what, 'has no message');
}

function assertCompletion(
  { ref, argument }: CompletionBinding,
  completable: ReadonlyMap<string, readonly string[]>,
): void {
  const key = referenceKey(ref);
  if (completable.get(key)?.includes(argument) !== true)
    fail(`completion of ${argument} for ${key}`, 'refers to nothing');
}

/** The arguments of everything a completion may refer to. */
function argumentsByReference({ prompts, resourceTemplates }: ServerModel): Map<string, string[]> {
  return new Map([
    ...prompts.map(({ name, arguments: args = [] }): [string, string[]] => [
      referenceKey({ kind: 'prompt', name }),
      args.map((each) => each.name),
    ]),
    ...resourceTemplates.map(({ uriTemplate }): [string, string[]] => [
      referenceKey({ kind: 'resource', uri: uriTemplate }),
      variablesOf(uriTemplate),
    ]),
  ]);
}

function referenceKey(ref: CompletionBinding['ref']): string {
  return `${ref.kind} ${ref.kind === 'prompt' ? ref.name : ref.uri}`;
}

function fail(what: string, problem: string): never {
  throw new ModelError(`${what} ${problem}`);
}
