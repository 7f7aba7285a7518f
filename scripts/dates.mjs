/**
 * `npm run dates`: tables of other programs' rules, with the day on which each row was compared with its sources.
 * Warns of rows older than 180 days. Time alone must not break a build, so the run ends with 0 unless `--strict` is
 * given.
 */
import { readOptions } from './lib/usage.mjs';

const DAY = 86_400_000;
const OLDEST = 180;

const { values } = readOptions('npm run dates [-- --strict]', { options: { strict: { type: 'boolean' } } });
const { CLIENT_PROFILES } = await import('../dist/src/model/client-profiles.js');
const { INSTALL_CLIENTS } = await import('../dist/src/install/clients.js');
const { PLACES } = await import('../dist/src/lint/publish-rules.js');

const tables = {
  'src/model/client-profiles.ts': CLIENT_PROFILES,
  'src/install/clients.ts': INSTALL_CLIENTS,
  'src/lint/publish-rules.ts': PLACES,
};
const rows = Object.entries(tables).flatMap(([file, table]) =>
  Object.entries(table).map(([name, { reviewed }]) => ({ file, name, reviewed })),
);
const old = rows.filter(({ reviewed }) => Date.now() - Date.parse(reviewed) > OLDEST * DAY);
for (const { file, name, reviewed } of old) {
  const words = `The rules of ${name} were compared with their sources on ${reviewed}, more than ${OLDEST} days ago.`;
  console.log(
    process.env.GITHUB_ACTIONS === 'true' ? `::warning file=${file}::${words}` : `${file}: ${words}`,
  );
}
console.log(`${rows.length - old.length} of ${rows.length} rows were compared in the last ${OLDEST} days.`);
if (values.strict === true && old.length > 0) process.exitCode = 1;
