export interface Module {
  file: string;
  imports: { to: string; isType: boolean }[];
}

export function readModules(folder: string): Module[];
