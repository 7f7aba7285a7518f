import { isUrl } from '../config/options/make-config.ts';
import { isConfigFile } from '../config/options/project-config.ts';

/** Whether a source is a file or glob of annotated functions, by its name. Configurations in code are none. */
export function isCode(source: string): boolean {
  return (source.startsWith('!') || ENDS_AS_CODE.test(source)) && !isUrl(source) && !isConfigFile(source);
}

/** `.ts`, `.{ts,js}`, `.?(m)ts`, `.[jt]s` */
const ENDS_AS_CODE = /\.(?:[^./]*\))?[mc]?(?:[jt]|\[[jt]+\])sx?$|\.\{(?:[mc]?[jt]sx?[,}])+$/;
