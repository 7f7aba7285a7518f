// A project whose API wants a client certificate, or that is told of proxies: it starts, and reads their variables.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerModel } from '../../src/model/server-model.ts';
import { petstore } from './models.ts';
import { emit, placeProject, removeProject } from './render-project.ts';

const env = { cert: 'TLS_CERT_M', key: 'TLS_KEY_M', passphrase: 'TLS_PASSPHRASE_M' };
const certified: ServerModel = {
  ...petstore,
  upstream: { servers: [{ url: 'https://api.test' }], securitySchemes: { m: { type: 'mutualTLS', env } } },
};

test.each<[string, ServerModel, string[]]>([
  ['a client certificate', certified, ['stdio']],
  ['a feature that is named', petstore, ['stdio', 'proxy']],
])('%s', async (_, model, features) => {
  const project = placeProject(await emit(model, { features, publish: [] }));
  onTestFinished(() => removeProject(project));
  expect(existsSync(join(project, 'src/runtime/features/proxy.ts'))).toBe(true);
  const start = (variables: Record<string, string>) =>
    spawnSync(process.execPath, [join(project, 'dist/main.js')], {
      encoding: 'utf8',
      env: variables,
      input: '',
    });
  expect(start({ HTTPS_PROXY: 'http://proxy.example:3128' }).status).toBe(0);
  expect(start({ HTTPS_PROXY: 'socks5://proxy.example' })).toMatchObject({
    status: 2,
    stderr:
      'petstore-mcp: HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128.\n',
  });
});
