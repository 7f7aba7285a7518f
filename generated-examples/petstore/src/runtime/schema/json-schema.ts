// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Handlers of projects that 0.1 made import these types from here. */
export type * from '../contract/json-schema.ts';
