import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { createServer } from './sdk-2-server.mjs';

serveStdio(createServer);
