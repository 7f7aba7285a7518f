/** What a word on the command line names. */
import { isUrl } from '../config/make-config.ts';
import { isConfigFile } from '../read-config.ts';

/** Files of annotated functions, by their names; a configuration may be code too. */
export function isCode(source: string): boolean {
  return /\.[mc]?[jt]sx?$/.test(source) && !isUrl(source) && !isConfigFile(source);
}
