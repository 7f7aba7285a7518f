/** What a server with an API says of the settings of it: to who runs it, for `--help` and where something is missing. */
export { missing } from './missing.ts';
export { apiVariables, baseUrlVariables } from './variables.ts';
