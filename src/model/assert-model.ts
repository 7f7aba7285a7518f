/**
 * Invariants of a ServerModel, checked before anything is emitted. A violation is a bug in mcpgen, since problems of
 * the source were reported and worked around before.
 */
import { assertBinding } from './assert-binding.ts';
import { argumentsByReference, assertCompletion } from './assert-completion.ts';
import { assertArgumentName, assertItemName, assertUnique } from './assert-names.ts';
import { assertPrompt } from './assert-prompt.ts';
import { assertResource, assertTemplate } from './assert-readable.ts';
import { assertObject, assertSchema, assertTop } from './assert-schema.ts';
import { fail } from './model-error.ts';
import type { ServerModel, Tool } from './server-model.ts';

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

function assertTool({ name, inputSchema, outputSchema, binding }: Tool, model: ServerModel): void {
  const what = `tool ${name}`;
  assertItemName(name, what);
  // A function's input schema may come from the user (`@schema`).
  const assertInput = binding.kind === 'function' ? assertObject : assertTop;
  assertInput(inputSchema, `${what}, inputSchema`);
  if (outputSchema !== undefined) assertTop(outputSchema, `${what}, outputSchema`);
  const properties = Object.keys(inputSchema.properties ?? {});
  for (const key of properties) assertArgumentName(key, what);
  for (const key of inputSchema.required ?? []) {
    if (!properties.includes(key)) fail(what, `requires ${key}, which is no argument`);
  }
  assertBinding(binding, properties, what, model);
}
