/**
 * Invariants of a ServerModel, checked before anything is emitted. A violation is a bug in mcpgen, since problems of
 * the source were reported and worked around before.
 */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import {
  type Binding,
  type CompletionBinding,
  type HttpBinding,
  type ResourceBinding,
  listApis,
} from '../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { listTemplateVariables } from '../../templates/runtime/contract/patterns.ts';
import { composition, forEachSubschema, definitionNameOf, collectRefs } from './schema-walk.ts';
import type { Prompt, Resource, ResourceTemplate, ServerModel, Tool } from './server-model.ts';

/** Throws `ModelError` at the first violation. Runs in every run, so it is cheap; `assertSchemas` is thorough. */
export function assertModel(model: ServerModel): void {
  assertUnique(model.tools, ({ name }) => name, 'tool');
  assertUnique(model.resources, ({ uri }) => uri, 'resource');
  assertUnique(model.resourceTemplates, ({ uriTemplate }) => uriTemplate, 'resource template');
  assertUnique(model.prompts, ({ name }) => name, 'prompt');
  const tools = new Map(model.tools.map((tool) => [tool.name, tool]));
  for (const tool of model.tools) assertTool(tool, model);
  for (const resource of model.resources) assertResource(resource, tools, model);
  for (const template of model.resourceTemplates) assertResourceTemplate(template, tools, model);
  for (const prompt of model.prompts) assertPrompt(prompt);
  for (const { do: binding, input } of Object.values(model.operations ?? {}).flatMap((all) =>
    Object.values(all),
  ))
    assertBinding(
      binding,
      Object.keys(input.properties ?? {}),
      `operation ${binding.method} ${binding.path}`,
      model,
    );
  const completable = mapArgumentsByRef(model);
  for (const completion of model.completions) assertCompletion(completion, completable);
}

/** Throws `ModelError` at the first schema that clients would refuse. Walks all schemas. */
export function assertSchemas({ tools }: Pick<ServerModel, 'tools'>): void {
  for (const { name, inputSchema, outputSchema } of tools) {
    assertSchema(inputSchema, `tool ${name}, inputSchema`);
    if (outputSchema !== undefined) assertSchema(outputSchema, `tool ${name}, outputSchema`);
  }
}

function assertTool({ name, inputSchema, outputSchema, binding }: Tool, model: ServerModel): void {
  const what = `tool ${name}`;
  assertItemName(name, what);
  // A function's input schema may come from the user (`@schema`).
  const assertInput = binding.kind === 'function' ? assertObjectSchema : assertTopSchema;
  assertInput(inputSchema, `${what}, inputSchema`);
  if (outputSchema !== undefined) assertTopSchema(outputSchema, `${what}, outputSchema`);
  const properties = Object.keys(inputSchema.properties ?? {});
  for (const key of properties) assertArgumentName(key, what);
  for (const key of inputSchema.required ?? []) {
    if (!properties.includes(key)) throwModelError(what, `requires ${key}, which is no argument`);
  }
  assertBinding(binding, properties, what, model);
}

const itemName = /^[A-Za-z0-9_./-]{1,128}$/;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

function assertItemName(name: string, what: string): void {
  if (!itemName.test(name))
    throwModelError(
      what,
      'has a name that clients refuse: letters, digits, "_", "-", "." and "/" are allowed, 128 at most',
    );
}

function assertArgumentName(name: string, what: string): void {
  if (!argumentName.test(name))
    throwModelError(
      what,
      `has an argument that clients refuse, ${JSON.stringify(name)}: letters, digits, "_", "-" and "." are allowed, 64 at most`,
    );
}

function assertUnique<T>(items: readonly T[], keyOf: (item: T) => string, kind: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) throwModelError(`${kind} ${key}`, 'occurs twice, and clients would see one');
    seen.add(key);
  }
}

function assertBinding(
  binding: Binding,
  properties: readonly string[],
  what: string,
  model: ServerModel,
): void {
  if (binding.kind === 'function') return;
  const { fields } = binding.result ?? {};
  const bound = [...listBoundArguments(binding), ...(fields === undefined ? [] : [fields.argument])];
  if (new Set(bound).size < bound.length) throwModelError(what, 'binds an argument twice');
  for (const argument of bound)
    if (!properties.includes(argument) && getOwnMember(binding.known ?? {}, argument) === undefined)
      throwModelError(what, `binds the argument ${argument}, which its schema lacks`);
  for (const argument of properties)
    if (!bound.includes(argument))
      throwModelError(
        what,
        `has the argument ${argument}, which goes nowhere: it is in the schema, and not in the binding`,
      );
  assertHttp(binding, what, model);
}

function assertHttp(binding: HttpBinding, what: string, model: ServerModel): void {
  const upstream = listApis(model).find(({ name }) => name === binding.api);
  if (upstream === undefined) throwModelError(what, 'speaks HTTP, but the model has no upstream');
  const schemes = upstream.securitySchemes;
  const demanded = (binding.security ?? []).flatMap((requirement) => Object.keys(requirement));
  for (const name of [...demanded, ...(binding.ifSet ?? [])]) {
    if (!Object.hasOwn(schemes, name))
      throwModelError(what, `needs the security scheme ${name}, which the upstream lacks`);
  }
  const { requiredTogether = [], properties = [] } = binding.body ?? {};
  for (const name of requiredTogether) {
    if (!properties.some((property) => property.name === name))
      throwModelError(what, `wants ${name} in its body, which lacks it`);
  }
}

function listBoundArguments({ parameters, body }: HttpBinding): string[] {
  const whole = body?.argument === undefined ? [] : [body.argument];
  const properties = (body?.properties ?? []).map(({ argument }) => argument);
  return [...parameters.map(({ argument }) => argument), ...whole, ...properties];
}

const uriScheme = /^[a-z][a-z0-9+.-]*:/i;

function assertResource(resource: Resource, tools: ReadonlyMap<string, Tool>, model: ServerModel): void {
  const what = `resource ${resource.uri}`;
  if (!uriScheme.test(resource.uri) || !URL.canParse(resource.uri)) throwModelError(what, 'is no URI');
  assertItemName(resource.name, what);
  assertResourceBinding(resource.binding, [], what, tools, model);
}

function assertResourceTemplate(
  template: ResourceTemplate,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const what = `resource template ${template.uriTemplate}`;
  if (!uriScheme.test(template.uriTemplate)) throwModelError(what, 'has no scheme');
  assertItemName(template.name, what);
  const variables = listTemplateVariables(template.uriTemplate);
  for (const variable of variables)
    if (!/^[A-Za-z0-9_]+$/.test(variable)) throwModelError(what, `has an invalid variable ${variable}`);
  if (template.binding.do.kind !== 'function' && new Set(variables).size < variables.length)
    throwModelError(what, 'names a variable twice');
  assertResourceBinding(template.binding, variables, what, tools, model);
}

function assertResourceBinding(
  { do: work, variables = {}, schemas = {} }: ResourceBinding,
  names: readonly string[],
  what: string,
  tools: ReadonlyMap<string, Tool>,
  model: ServerModel,
): void {
  const argumentNames = listArguments(work, what, tools);
  const bound = names.map((name) => (Object.hasOwn(variables, name) ? variables[name] : name) ?? name);
  if (argumentNames !== undefined) {
    for (const argument of bound)
      if (!argumentNames.includes(argument))
        throwModelError(what, `has the variable ${argument}, which goes nowhere`);
  }
  for (const name of Object.keys(variables))
    if (!names.includes(name)) throwModelError(what, `renames ${name}, which is no variable`);
  for (const argument of Object.keys(schemas))
    if (!bound.includes(argument)) throwModelError(what, `types ${argument}, which is no variable`);
  if (work.kind === 'http') assertHttp(work, what, model);
}

/** Lists the arguments; `undefined` for a function, whose parameters the model does not name. */
function listArguments(
  work: ResourceBinding['do'],
  what: string,
  tools: ReadonlyMap<string, Tool>,
): string[] | undefined {
  if (work.kind === 'function') return work.parameters === 'object' ? undefined : work.parameters;
  if (work.kind === 'http') return listBoundArguments(work);
  const tool = tools.get(work.name);
  if (tool === undefined) throwModelError(what, `refers to the tool ${work.name}, which does not exist`);
  return Object.keys(tool.inputSchema.properties ?? {});
}

function assertCompletion(
  { ref, argument }: CompletionBinding,
  completable: ReadonlyMap<string, readonly string[]>,
): void {
  const key = referenceKey(ref);
  if (completable.get(key)?.includes(argument) !== true)
    throwModelError(`completion of ${argument} for ${key}`, 'refers to nothing');
}

function mapArgumentsByRef({ prompts, resourceTemplates }: ServerModel): Map<string, string[]> {
  return new Map([
    ...prompts.map(({ name, arguments: args = [] }): [string, string[]] => [
      referenceKey({ kind: 'prompt', name }),
      args.map((argument) => argument.name),
    ]),
    ...resourceTemplates.map(({ uriTemplate }): [string, string[]] => [
      referenceKey({ kind: 'resource', uri: uriTemplate }),
      listTemplateVariables(uriTemplate),
    ]),
  ]);
}

function referenceKey(ref: CompletionBinding['ref']): string {
  return `${ref.kind} ${ref.kind === 'prompt' ? ref.name : ref.uri}`;
}

function assertPrompt({ name, arguments: args = [], binding }: Prompt): void {
  const what = `prompt ${name}`;
  assertItemName(name, what);
  assertUnique(args, (argument) => argument.name, `argument of ${what}`);
  for (const argument of args) assertArgumentName(argument.name, what);
  if (binding.kind === 'template' && binding.messages.length === 0) throwModelError(what, 'has no message');
}

/** Checks for an object whose properties are objects, since the official client refuses the whole list otherwise. */
function assertObjectSchema(schema: JsonSchemaObject, what: string): void {
  if (schema.type !== 'object') throw new ModelError(`${what} is not \`type: object\` at its top`);
  assertNoBooleanSchema(findBooleanProperty(schema), what);
}

/** Also refuses composition at the top of the schema, since some models' APIs refuse it. */
function assertTopSchema(schema: JsonSchemaObject, what: string): void {
  assertObjectSchema(schema, what);
  const composed = composition.find((keyword) => schema[keyword] !== undefined);
  if (composed !== undefined) throw new ModelError(`${what} has ${composed} at its top`);
}

/** Checks `properties` for boolean schemas at every depth, and for dangling `$ref`s and unused `$defs`. */
function assertSchema(schema: JsonSchemaObject, what: string): void {
  assertNoBooleanSchema(findNestedBooleanSchema(schema), what);
  const { $defs = {}, ...top } = schema;
  const reached = new Set<string>();
  const open = [...collectRefs(top)];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (ref === '#') continue;
    const name = definitionNameOf(ref);
    const target = name !== undefined && Object.hasOwn($defs, name) ? $defs[name] : undefined;
    if (name === undefined || target === undefined)
      throw new ModelError(`${what} has the dangling $ref ${ref}`);
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...collectRefs(target));
  }
  const unreached = Object.keys($defs).find((name) => !reached.has(name));
  if (unreached !== undefined)
    throw new ModelError(`${what} carries ${unreached} in $defs, which nothing reaches`);
}

function assertNoBooleanSchema(property: string | undefined, what: string): void {
  if (property !== undefined) throw new ModelError(`${what} has a boolean as the schema of ${property}`);
}

function findBooleanProperty({ properties = {} }: JsonSchemaObject): string | undefined {
  return Object.keys(properties).find((name) => typeof properties[name] === 'boolean');
}

/** Schemas without boolean properties are remembered, since tools share most schemas. */
const free = new WeakSet<JsonSchemaObject>();

function findNestedBooleanSchema(schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean' || free.has(schema)) return undefined;
  let fault = findBooleanProperty(schema);
  forEachSubschema(schema, (subschema) => (fault ??= findNestedBooleanSchema(subschema)));
  if (fault === undefined) free.add(schema);
  return fault;
}

/** The model breaks an invariant: a bug of mcpgen, never a problem of the source. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

function throwModelError(what: string, problem: string): never {
  throw new ModelError(`${what} ${problem}`);
}
