import { load } from 'js-yaml';

/** The text of a `mcpgen.config.json` with what is short in YAML. */
export function jsonConfig(yaml: string): string {
  return JSON.stringify(load(yaml), null, 2);
}
