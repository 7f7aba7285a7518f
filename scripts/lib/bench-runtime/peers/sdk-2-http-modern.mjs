import { createServer as createHttpServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';

import { createServer } from './sdk-2-server.mjs';

const handle = toNodeHandler(createMcpHandler(createServer));
const listener = createHttpServer((request, response) => void handle(request, response));
listener.listen(0, '127.0.0.1', () => console.error(`http://127.0.0.1:${listener.address().port}/mcp`));
