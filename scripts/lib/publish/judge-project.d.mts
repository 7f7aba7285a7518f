// Types for the tests; the words stand in `judge-project.mjs`.
export function judgeProject(
  project: string,
  folder: string,
  options?: { offline?: boolean; schema?: object },
): Promise<string[]>;
