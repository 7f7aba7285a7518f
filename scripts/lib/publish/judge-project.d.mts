export function judgeProject(
  project: string,
  folder: string,
  options?: { offline?: boolean; schema?: object },
): Promise<string[]>;
