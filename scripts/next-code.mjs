/** `node scripts/next-code.mjs 6` prints the next free code of MCPG6xx. A code that was ever given is not given again. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const [range] = process.argv.slice(2);
if (!/^[1-9]$/.test(range ?? '')) throw new Error('usage: node scripts/next-code.mjs <1-9>');
const root = path.join(import.meta.dirname, '..');
const log = execFileSync('git', ['log', '--all', '--name-only', '--format=', '--', 'docs/diagnostics'], {
  cwd: root,
  encoding: 'utf8',
});
const given = new Set(
  `${log}\n${readdirSync(path.join(root, 'docs/diagnostics')).join('\n')}`.match(/MCPG\d{3}/g),
);
const codes = Array.from({ length: 100 }, (_, at) => `MCPG${range}${String(at).padStart(2, '0')}`);
console.log(codes.slice(1).find((code) => !given.has(code)) ?? `All codes of MCPG${range}xx are given.`);
