// `--accept-origin`, and the command that a refusal says to run.
import { expect, test } from 'vitest';
import { commandLine } from '../../src/cli/compile-options.ts';
import type { Host } from '../../src/cli/host.ts';
import { originProblem } from '../../src/config/addresses.ts';

const commandOf = (...args: string[]): string => commandLine({ args } as unknown as Host);

test('the command to run is that of the run', () => {
  expect(commandOf('generate', 'my server', '--force')).toBe("mcpgen generate 'my server' --force");
});

test('it shows neither the password nor the query of a URL', () => {
  expect(commandOf('openapi', 'https://user:word@a.example/o.json?key=secret')).toBe(
    'mcpgen openapi https://a.example/o.json',
  );
  expect(commandOf('openapi', '--base-url=https://a.example?key=secret')).not.toContain('secret');
});

test.each([
  'https://api.example.com',
  'http://10.0.0.1:8080',
  'https://[::1]:1',
  'https://{r}.example.com',
  '{u}',
])('%s can be accepted', (origin) => {
  expect(originProblem(origin)).toBeUndefined();
});

test('of a URL the message says the origin', () => {
  expect(originProblem('https://API.example.com:443/v1')).toBe(
    'it must be an origin alone, such as https://api.example.com',
  );
});
