// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What handlers import. */
export * from './index.ts';
export type * from './definition.ts';
