/** The settings of APIs in words, for `--help` and for warnings at the start. */
export { missing } from './missing.ts';
export { apiVariables, baseUrlVariables } from './variables.ts';
