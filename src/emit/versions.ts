/** Versions of what emitted projects need to be built again; a test keeps them equal to mcpgen's own. */
export const nodeEngine = '>=20.19';

export const developmentVersions = {
  /** Exact: another TypeScript may print other bytes. */
  typescript: '6.0.3',
  nodeTypes: '^20.19.43',
};
