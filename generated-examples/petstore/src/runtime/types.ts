// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Handlers import their types and errors from here. */
export * from './index.ts';
export type * from './definition.ts';
