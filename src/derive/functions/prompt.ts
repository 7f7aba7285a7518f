import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { Prompt } from '../../model/server-model.ts';
import type { FunctionPrompt } from '../../model/source-model.ts';
import { type SchemaView, writtenOut } from '../schema/schema-view.ts';
import { sentenceOf } from '../text/words.ts';
import { argumentsOf, type FunctionsContext, nameOf, withDefs, withDeprecation } from './context.ts';
import { definedMembers } from '../../util/defined-members.ts';

export function derivePrompt(prompt: FunctionPrompt, context: FunctionsContext): Prompt {
  const { title, icons, scopes, origin } = prompt;
  const description = withDeprecation(prompt, prompt.description ?? '');
  const { input, binding } = argumentsOf(prompt, context);
  const name = nameOf(prompt, context);
  const { properties = {}, required = [] } = input;
  const args = Object.entries(properties).map(([argument, schema]) => ({
    name: argument,
    ...readTexts(schema),
    ...(required.includes(argument) ? { required: true } : {}),
  }));
  return {
    name,
    title: title ?? (sentenceOf(prompt.name) || name),
    ...(description === '' ? {} : { description }),
    ...definedMembers({ icons }),
    ...(args.length === 0 ? {} : { arguments: args }),
    binding: {
      ...binding,
      // A prompt whose parameters are all hidden needs no input.
      ...(binding.parameters.length === 0
        ? {}
        : { input: withDefs(inlined(input, context.view), context.view) }),
      ...(scopes.length === 0 ? {} : { scopes }),
    },
    origin,
  };
}

/** The runtime decodes texts by each property's type, so references are resolved here. */
function inlined(input: ObjectSchema, view: SchemaView): ObjectSchema {
  const entries = Object.entries(input.properties ?? {}).map(([name, schema]): [string, JsonSchema] => [
    name,
    writtenAlternatives(schema, view),
  ]);
  return { ...input, properties: Object.fromEntries(entries) };
}

function writtenAlternatives(schema: JsonSchema, view: SchemaView): JsonSchema {
  const target = writtenOut(schema, view);
  if (typeof target !== 'object' || target.anyOf === undefined) return target;
  return { ...target, anyOf: target.anyOf.map((each) => writtenAlternatives(each, view)) };
}

function readTexts(schema: JsonSchema): { title?: string; description?: string } {
  const { title, description } = typeof schema === 'object' ? schema : {};
  return { ...definedMembers({ title, description }) };
}
