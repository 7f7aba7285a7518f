/** Versions of what emitted projects need to be built again; a test keeps them equal to mcpgen's own. */
export const nodeEngine = '>=20.19';

/** Checks signatures; of projects with OAuth. */
export const signaturePackage = { jose: '^6.2.17' };

export const developmentPackages = {
  '@types/node': '^20.19.43',
  /** Exact: another TypeScript may print other bytes. */
  typescript: '6.0.3',
};
