/** Invariants of bindings. */
import type { Binding, HttpBinding } from '../../templates/runtime/contract/bindings.ts';
import { apisOf } from '../../templates/runtime/contract/apis.ts';
import { fail } from './model-error.ts';
import type { ServerModel } from './server-model.ts';

/** Every property is bound, once, and nothing else is. */
export function assertBinding(
  binding: Binding,
  properties: readonly string[],
  what: string,
  model: ServerModel,
): void {
  if (binding.kind === 'function') return;
  const bound = boundArguments(binding);
  if (new Set(bound).size < bound.length) fail(what, 'binds an argument twice');
  for (const argument of bound)
    if (!properties.includes(argument)) fail(what, `binds the argument ${argument}, which its schema lacks`);
  for (const argument of properties)
    if (!bound.includes(argument))
      fail(
        what,
        `has the argument ${argument}, which goes nowhere: it is in the schema, and not in the binding`,
      );
  assertHttp(binding, what, model);
}

export function assertHttp(binding: HttpBinding, what: string, model: ServerModel): void {
  const upstream = apisOf(model).find(({ name }) => name === binding.api);
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

/** The arguments that travel in the request. */
export function boundArguments({ parameters, body }: HttpBinding): string[] {
  const whole = body?.argument === undefined ? [] : [body.argument];
  const properties = (body?.properties ?? []).map(({ argument }) => argument);
  return [...parameters.map(({ argument }) => argument), ...whole, ...properties];
}
