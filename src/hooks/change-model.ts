/** Runs the hook `onModel`, which may change the server's model. */
import { readFileSync } from 'node:fs';
import type { JsonSchemaObject } from '../util/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { runAndRecord } from '../diagnostics/running-code.ts';
import { ModelError, assertModel, assertSchemas } from '../model/assert-model.ts';
import type { ServerModel } from '../model/server-model.ts';
import { checkLargeValue } from '../util/check-values.ts';
import { packageRoot } from '../util/version.ts';
import type { LoadedHooks } from './user-code.ts';

export async function changeModel(
  model: ServerModel,
  { onModel, file, placeOf }: LoadedHooks,
  diagnostics: DiagnosticCollector,
): Promise<ServerModel> {
  if (onModel === undefined) return model;
  const copy = structuredClone(model);
  let changed: unknown;
  try {
    changed = (await runAndRecord(`the hook onModel of ${file}`, () => onModel(copy))) ?? copy;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    diagnostics.report('hook-failed', { file, reason }, { at: placeOf(thrown) });
    return model;
  }
  const problems = findModelProblems(changed, model);
  if (problems.length === 0) return changed as ServerModel;
  for (const problem of problems) diagnostics.report('hook-failed', { file, unusable: problem });
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
