/** Handlers of projects that 0.1 made import these types from here. */
export type * from '../contract/json-schema.ts';
