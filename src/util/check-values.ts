/** Checks values by schemas as servers do that have the features `alternatives`, `unevaluated` and `patterns`. */
import type { JsonSchema, JsonSchemaObject } from './json-schema.ts';
import { alternatives } from '../../templates/runtime/features/alternatives.ts';
import { unevaluated } from '../../templates/runtime/features/unevaluated.ts';
import { patterns } from '../../templates/runtime/features/patterns/index.ts';
import {
  Compiler,
  type Extensions,
  Run,
  type Validator,
  compileSchema as compile,
} from '../../templates/runtime/validate.ts';
import type { Schema } from '../../templates/runtime/types.ts';
import { partsOf } from './feature-parts.ts';
import { classifyPattern } from './classify-pattern.ts';

const { linear = () => undefined } = partsOf<NonNullable<Extensions['makeTest']>>([patterns()], 'patterns');

/** What the machine can't run is left to the engine if that is proved to be quick, else it accepts everything. */
export const makePatternTest: NonNullable<Extensions['makeTest']> = (source) =>
  linear(source) ?? (classifyPattern(source) === 'linear' ? undefined : () => true);

const extensions: Extensions = {
  keywords: partsOf([alternatives(), unevaluated()], 'keywords'),
  makeTest: makePatternTest,
};

/** @throws {Error} for another dialect than 2020-12, and when a value meets a reference that leads nowhere */
export function compileSchema(schema: JsonSchema): Validator {
  return compile(schema, extensions);
}

const UNCHECKED = /^(?:\$dynamicRef$|\$recursiveRef$|dependencies$)/;

/** For schemas whose keywords nothing has lowered. @throws {Error} for a keyword or reference that would not be checked */
export function requireChecked(schema: Schema): void {
  compile(schema);
  const compiler = new Compiler(schema);
  compiler.compile(schema);
  // Keywords of each schema add those inside it, which follow in their turn.
  for (const inner of compiler.checks.keys()) {
    const keyword = Object.keys(inner).find((name) => UNCHECKED.test(name));
    if (keyword !== undefined) throw new Error(`${keyword} is not checked`);
    compiler.compileKeywords(inner);
  }
}

class UnlimitedRun extends Run {
  override spend(): void {
    // Models of large APIs take more work than what clients send.
  }
}

/** Checks a value of any size. @throws {RangeError} if it is nested too deeply */
export function checkLargeValue(schema: JsonSchemaObject, value: unknown): Run['misfits'] {
  return new UnlimitedRun().collect(new Compiler(schema, extensions).compile(schema), value) ?? [];
}

/** Tests whether a schema accepts values. One that can't be checked accepts none. */
export function makeSchemaTest(
  schema: JsonSchema,
  $defs: JsonSchemaObject['$defs'] = {},
): (value: unknown) => boolean {
  const check = attempt(() => compileSchema({ allOf: [schema], $defs }));
  return (value) => attempt(() => check?.(value).length) === 0;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
