/** Runs the hook `onModel`, which may change the server's model. */
import { readFileSync } from 'node:fs';
import type { JsonSchemaObject } from '../util/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { ModelError, assertModel, assertSchemas } from '../model/assert-model.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { Hooks } from '../model/user-code.ts';
import { checkLargeValue } from '../util/check-values.ts';
import { packageRoot } from '../util/version.ts';
import { type LoadedCode, callHook } from './user-code.ts';

export async function changeModel(
  model: ServerModel,
  hooks: LoadedCode<Hooks>,
  diagnostics: DiagnosticCollector,
): Promise<ServerModel> {
  const { onModel } = hooks.functions;
  if (onModel === undefined) return model;
  const copy = structuredClone(model);
  const called = await callHook('onModel', hooks, () => onModel(copy), diagnostics);
  if (called === undefined) return model;
  const changed: unknown = called.returned ?? copy;
  const problems = findModelProblems(changed, model);
  if (problems.length === 0) return changed as ServerModel;
  for (const problem of problems)
    diagnostics.report('hook-failed', { hook: 'onModel', file: hooks.file, unusable: problem });
  return model;
}

/** Checks the JSON Schema first, since the invariants need a valid shape. The first violation is reported. */
function findModelProblems(value: unknown, before: ServerModel): string[] {
  const faults = checkLargeValue(readModelSchema(), value);
  if (faults.length > 0) return faults.map(({ message }) => message);
  const model = value as ServerModel;
  const broken = catchModelError(() => assertModel(model));
  // Schemas from `@schema` tags may break these rules.
  if (broken.length > 0 || catchModelError(() => assertSchemas(before)).length > 0) return broken;
  return catchModelError(() => assertSchemas(model));
}

function readModelSchema(): JsonSchemaObject {
  return JSON.parse(
    readFileSync(new URL('schema/server-model.json', packageRoot()), 'utf8'),
  ) as JsonSchemaObject;
}

function catchModelError(assert: () => void): string[] {
  try {
    assert();
    return [];
  } catch (error) {
    if (error instanceof ModelError) return [error.message];
    throw error;
  }
}
