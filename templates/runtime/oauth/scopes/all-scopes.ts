import type { Bindings } from '../../contract/bindings.ts';
import type { Handlers } from '../../definition.ts';
import { together } from './needed.ts';

/** Every scope that some item needs, in the order listed. */
export function allScopes(bindings: Bindings, handlers: Handlers<object>): readonly string[] {
  const { tools, resources, resourceTemplates, prompts } = bindings;
  const bound = [tools, resources, resourceTemplates, prompts].flatMap((items) => Object.values(items));
  const { extraTools = [], prompts: own = {}, resources: read = {}, resourceTemplates: made = {} } = handlers;
  const others = [...extraTools, ...[own, read, made].flatMap((items) => Object.values(items))];
  return together(...[...bound, ...others].map(({ scopes }) => scopes));
}
