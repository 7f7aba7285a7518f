export { forecast } from './forecast.ts';
/** @tool to_celsius */
export { celsius } from './lib/units.ts';
