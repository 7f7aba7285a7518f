/** What a word on the command line names. */
import { isUrl } from '../config/options/make-config.ts';
import { isConfigFile } from '../config/options/project-config.ts';

/** Files of annotated functions, by their names, or a glob that takes some away; a configuration may be code too. */
export function isCode(source: string): boolean {
  return (source.startsWith('!') || ENDS_AS_CODE.test(source)) && !isUrl(source) && !isConfigFile(source);
}

/** `.ts`, `.{ts,js}`, `.?(m)ts`, `.[jt]s` */
const ENDS_AS_CODE = /\.(?:[^./]*\))?[mc]?(?:[jt]|\[[jt]+\])sx?$|\.\{(?:[mc]?[jt]sx?[,}])+$/;
