// `ask-usages.mjs <folder> <option> …`: runs each script of a folder with each option, all in this process, since they share most of
// their modules. Prints what came of it as JSON.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, ...options] = process.argv;
const scripts = readdirSync(folder).filter((name) => name.endsWith('.mjs'));

const ended = Symbol('ended');
const { exit } = process;
process.exit = (status) => {
  throw { [ended]: status ?? process.exitCode ?? 0 };
};

async function ask(script, option) {
  const said = { status: 'did not end', stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'])
    process[stream].write = (text) => {
      said[stream] += String(text);
      return true;
    };
  process.argv = [process.execPath, join(folder, script), option];
  try {
    await import(`${pathToFileURL(join(folder, script)).href}?${option}`);
  } catch (thrown) {
    said.status = thrown?.[ended] ?? String(thrown?.stack);
  }
  return said;
}

const asked = {};
for (const option of options) {
  asked[option] = {};
  for (const script of scripts) asked[option][script] = await ask(script, option);
}
writeFileSync(1, JSON.stringify(asked));
// Modules that were loaded may keep the process.
exit(0);
