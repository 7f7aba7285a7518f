/** punkpeye/fastmcp over stdio: `<document> <base URL>`. */
import { readFileSync } from 'node:fs';
import { fromOpenAPI } from 'fastmcp/openapi';

const [file, baseUrl] = process.argv.slice(2);
const spec = JSON.parse(readFileSync(file, 'utf8'));
const server = await fromOpenAPI({ spec, baseUrl, maxTools: 10_000 });
await server.start({ transportType: 'stdio' });
