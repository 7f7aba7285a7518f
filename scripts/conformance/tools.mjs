import { Tools } from '../lib/tools.mjs';

/** The pinned suites and the Node that runs them. */
const tools = new Tools('test/conformance');

export const installTools = () => tools.install();

/** The program of a package. */
export const programOf = (tool) => tools.path(tool, 'dist/index.js');

export const nodeForTools = () => tools.node(22);
