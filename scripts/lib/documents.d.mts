export const documents: {
  file: string;
  write: (
    page: string,
    sources: {
      root: string;
      registry: object;
      options: object[];
      toolMembers: object;
      features: readonly object[];
      rules: readonly object[];
      clients: object;
      publishRules: readonly object[];
    },
  ) => Promise<string>;
}[];
