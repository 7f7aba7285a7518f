export function listFeatures(modules: object): Promise<readonly object[]>;
