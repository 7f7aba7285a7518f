/** The validator with the features that a project has for schemas. */
import { alternatives } from '../../../templates/runtime/features/alternatives.ts';
import { unevaluated } from '../../../templates/runtime/features/unevaluated.ts';
import { patterns } from '../../../templates/runtime/features/patterns/index.ts';
import type { Schema } from '../../../templates/runtime/types.ts';
import {
  compileSchema as compile,
  type Extensions,
  type Misfit,
} from '../../../templates/runtime/validate.ts';

const extensions = {
  keywords: { ...alternatives().parts?.['keywords'], ...unevaluated().parts?.['keywords'] },
  makeTest: patterns().parts?.['patterns']?.['linear'],
} as Extensions;

/** A schema or any value in the place of one. */
export function compileSchema(schema: unknown): (value: unknown) => Misfit[] {
  return compile(schema as Schema, extensions);
}
