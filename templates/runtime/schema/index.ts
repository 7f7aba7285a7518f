// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON Schema 2020-12 for the runtime. `formats.ts` is apart, so that it only loads where formats are asserted. */
export { compileSchema, compileTest, type Test, type Validator } from './compile-schema.ts';
export type { SchemaError } from './run.ts';
export type { Json, JsonObject, JsonSchema, JsonSchemaObject, JsonType } from './json-schema.ts';
export type { FormatTest, SchemaLimits, SchemaOptions } from './run.ts';
export { repairArguments } from './repair.ts';
export { SchemaDefect } from './schema-set.ts';
