/** The peer that compile times are compared with. */
import { Tools } from '../tools.mjs';

export const peerName = 'openapi-mcp-generator';

const tools = new Tools('test/judges/steady');
export const peerGenerator = tools.path(peerName, 'bin/openapi-mcp-generator.js');

export const installPeer = () => tools.install();
