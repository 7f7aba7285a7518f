/**
 * Invariants of a ServerModel, checked before anything is emitted. A violation is a bug in mcpgen or a mistake of a hook,
 * since problems of the source were reported and worked around before.
 */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { type HttpBinding, listApis } from './bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import {
  composition,
  forEachSubschema,
  collectRefs,
  definitionNameOf,
  reachedDefinitions,
} from './schema-walk.ts';
import { listTemplateVariables } from '../util/uri-template.ts';
import type { Resource, ResourceTemplate, ServerModel, Tool } from './server-model.ts';

/** Throws `ModelError` at the first violation. Runs in every run, so it is cheap; `assertSchemas` is thorough. */
export function assertModel(model: ServerModel): void {
  const { tools, resources, resourceTemplates, prompts, operations = {} } = model;
  assertNames(tools, ({ name }) => name, 'tool');
  assertNames(resources, ({ uri }) => uri, 'resource');
  assertNames(resourceTemplates, ({ uriTemplate }) => uriTemplate, 'resource template');
  assertNames(prompts, ({ name }) => name, 'prompt');
  for (const tool of tools) assertTool(tool, model);
  for (const resource of resources) {
    const what = `resource ${resource.uri}`;
    if (!uriScheme.test(resource.uri) || !URL.canParse(resource.uri)) throwModelError(what, 'is no URI');
    assertResourceBinding(resource, [], what, model);
  }
  for (const template of resourceTemplates) {
    const what = `resource template ${template.uriTemplate}`;
    if (!uriScheme.test(template.uriTemplate)) throwModelError(what, 'has no scheme');
    assertResourceBinding(template, listTemplateVariables(template.uriTemplate), what, model);
  }
  for (const { name, arguments: args = [], binding } of prompts) {
    const names = args.map((argument) => argument.name);
    for (const argument of names) assertArgumentName(argument, `prompt ${name}`);
    if (new Set(names).size < names.length) throwModelError(`prompt ${name}`, 'has an argument twice');
    if (binding.kind === 'template' && binding.messages.length === 0)
      throwModelError(`prompt ${name}`, 'has no message');
  }
  for (const { do: binding, input } of Object.values(operations).flatMap((all) => Object.values(all)))
    assertBinding(binding, Object.keys(input.properties ?? {}), `operation ${binding.path}`, model);
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
  // A function's input schema may come from the user (`@schema`).
  assertObjectSchema(inputSchema, binding.kind === 'function' ? [] : composition, `${what}, inputSchema`);
  if (outputSchema !== undefined) assertObjectSchema(outputSchema, composition, `${what}, outputSchema`);
  const properties = Object.keys(inputSchema.properties ?? {});
  for (const key of properties) assertArgumentName(key, what);
  for (const key of inputSchema.required ?? [])
    if (!properties.includes(key)) throwModelError(what, `requires ${key}, which is no argument`);
  assertBinding(binding, properties, what, model);
}

const itemName = /^[A-Za-z0-9_./-]{1,128}$/;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;
const uriScheme = /^[a-z][a-z0-9+.-]*:/i;

function assertNames<T extends { name: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
  kind: string,
): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (seen.has(key)) throwModelError(`${kind} ${key}`, 'occurs twice, and clients would see one');
    seen.add(key);
    if (!itemName.test(item.name))
      throwModelError(
        `${kind} ${key}`,
        'has a name that clients refuse: letters, digits, "_", "-", "." and "/" are allowed, 128 at most',
      );
  }
}

function assertArgumentName(name: string, what: string): void {
  if (!argumentName.test(name))
    throwModelError(
      what,
      `has an argument that clients refuse, ${JSON.stringify(name)}: letters, digits, "_", "-" and "." are allowed, 64 at most`,
    );
}

function assertBinding(
  binding: Tool['binding'],
  properties: readonly string[],
  what: string,
  model: ServerModel,
): void {
  if (binding.kind !== 'http') return;
  const { fields } = binding.result ?? {};
  const bound = [...listBoundArguments(binding), ...(fields === undefined ? [] : [fields.argument])];
  if (new Set(bound).size < bound.length) throwModelError(what, 'binds an argument twice');
  for (const argument of bound)
    if (!properties.includes(argument) && ownMember(binding.known ?? {}, argument) === undefined)
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
  const demanded = (binding.security ?? []).flatMap((requirement) => Object.keys(requirement));
  for (const name of [...demanded, ...(binding.ifSet ?? [])])
    if (!Object.hasOwn(upstream.securitySchemes, name))
      throwModelError(what, `needs the security scheme ${name}, which the upstream lacks`);
}

function listBoundArguments({ parameters, body }: HttpBinding): string[] {
  return [...parameters, ...(body?.properties ?? [])]
    .map(({ argument }) => argument)
    .concat(body?.argument ?? []);
}

function assertResourceBinding(
  { binding: { do: work, variables = {} } }: Resource | ResourceTemplate,
  names: readonly string[],
  what: string,
  model: ServerModel,
): void {
  if (work.kind === 'function') return;
  const tool = work.kind === 'tool' ? model.tools.find(({ name }) => name === work.name) : undefined;
  if (work.kind === 'tool' && tool === undefined)
    throwModelError(what, `refers to the tool ${work.name}, which does not exist`);
  const argumentNames =
    work.kind === 'http' ? listBoundArguments(work) : Object.keys(tool?.inputSchema.properties ?? {});
  for (const name of names) {
    const argument = ownMember(variables, name) ?? name;
    if (!argumentNames.includes(argument))
      throwModelError(what, `has the variable ${argument}, which goes nowhere`);
  }
  if (work.kind === 'http') assertHttp(work, what, model);
}

/**
 * Checks for an object whose properties are objects, since the official client refuses the whole list otherwise, and
 * for `refused` keywords at the top, since some models' APIs refuse them.
 */
function assertObjectSchema(schema: JsonSchemaObject, refused: readonly string[], what: string): void {
  if (schema.type !== 'object') throwModelError(what, 'is not `type: object` at its top');
  assertNoBooleanProperty(schema, what);
  const keyword = refused.find((name) => schema[name] !== undefined);
  if (keyword !== undefined) throwModelError(what, `has ${keyword} at its top`);
}

/** Checks `properties` for boolean schemas at every depth, and for dangling `$ref`s and unused `$defs`. */
function assertSchema({ $defs = {}, ...top }: JsonSchemaObject, what: string): void {
  const reached = reachedDefinitions(top, $defs);
  for (const part of [top, ...Object.values(reached)]) {
    assertNoBooleanSchema(part, what);
    for (const ref of collectRefs(part))
      if (ref !== '#' && !Object.hasOwn(reached, definitionNameOf(ref) ?? ''))
        throwModelError(what, `has the dangling $ref ${ref}`);
  }
  const unreached = Object.keys($defs).find((name) => !Object.hasOwn(reached, name));
  if (unreached !== undefined) throwModelError(what, `carries ${unreached} in $defs, which nothing reaches`);
}

function assertNoBooleanSchema(schema: JsonSchema, what: string): void {
  if (typeof schema === 'boolean') return;
  assertNoBooleanProperty(schema, what);
  forEachSubschema(schema, (subschema) => assertNoBooleanSchema(subschema, what));
}

function assertNoBooleanProperty({ properties = {} }: JsonSchemaObject, what: string): void {
  const name = Object.keys(properties).find((property) => typeof properties[property] === 'boolean');
  if (name !== undefined) throwModelError(what, `has a boolean as the schema of ${name}`);
}

/** The model breaks an invariant: a bug of mcpgen, never a problem of the source. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

function throwModelError(what: string, problem: string): never {
  throw new ModelError(`${what} ${problem}`);
}
