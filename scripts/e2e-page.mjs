/**
 * `npm run e2e:page`: the page of `mcpgen preview` in the Chromium of this machine, over its five views. Ends with 1 when a
 * check failed, and with 0 and `not run` where there is no Chromium.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { findChromium, launch, openPage } from './lib/page/browser.mjs';
import { takePictures } from './lib/page/actions.mjs';
import { sources } from './lib/page/suites.mjs';
import { cli, inRepository } from './lib/repository.mjs';
import { inParallel } from './lib/run.mjs';
import { start } from './lib/start.mjs';
import { paint } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const ADDRESS = /(http:\/\/(?:127\.0\.0\.1|localhost):\d+\/\S*token=\S+)/;
const PATIENCE = 5000;
const STARTING = 60_000;
/** Sources at a time: a page waits most of its time. */
const WIDTH = 3;
/** Playwright tells each attempt. */
const MOST_OF_MESSAGE = 600;

const usage = [
  'npm run e2e:page [-- --only <suite>,… --corpus <folder> --pictures]',
  `Suites: ${sources.flatMap(({ suites }) => Object.keys(suites)).join(', ')}. --only takes the start of a name.`,
  '--pictures writes docs/images/preview-*.png. CHROMIUM names the browser.',
].join('\n');
const { values } = readOptions(usage, {
  options: { only: { type: 'string' }, corpus: { type: 'string' }, pictures: { type: 'boolean' } },
});
const corpus = values.corpus && path.resolve(values.corpus);
const isChosen = (name) => values.only?.split(',').some((start) => name.startsWith(start)) ?? true;
const chosen = sources.filter(
  ({ suites, needsCorpus }) =>
    Object.keys(suites).some(isChosen) && (!needsCorpus || values.corpus !== undefined),
);
if (chosen.length === 0) misused(usage, `There is no suite ${values.only}, or it needs --corpus.`);

let [held, failed] = [0, 0];
const program = findChromium();
if (program === undefined) {
  console.log('not run: there is no Chromium here (apt install chromium, or name one with CHROMIUM).');
} else {
  const browser = await launch(program);
  try {
    // What is timed runs alone.
    await inParallel(
      chosen.filter(({ needsCorpus }) => !needsCorpus),
      WIDTH,
      (source) => runSource(browser, source),
    );
    for (const source of chosen.filter(({ needsCorpus }) => needsCorpus)) await runSource(browser, source);
    console.log(`\n${held} checks hold in Chromium ${browser.version()}, ${failed} failed.`);
    if (values.pictures) await takeAll(browser);
  } finally {
    await browser.close();
  }
}
if (failed > 0) process.exitCode = 1;

async function runSource(browser, { open, suites }) {
  const [first] = Object.keys(suites);
  await judge(`${first}: it opens and ends`, () =>
    withPage(browser, open, async (opened) => {
      for (const [name, checks] of Object.entries(suites).filter(([name]) => isChosen(name))) {
        await runChecks(name, checks, opened);
        // Another suite begins at the first view.
        opened.faults.length = 0;
        await opened.page.evaluate(() => (location.hash = '#/surface'));
        await opened.page.reload();
      }
    }),
  );
}

/** Checks of a suite go on where the one before ended; after a failure the page is loaded again. */
async function runChecks(suite, checks, opened) {
  for (const [name, check] of Object.entries(checks))
    if (!(await judge(`${suite}: ${name}`, () => check(opened)))) await opened.page.reload();
  await judge(`${suite}: no error, no violation, no request to elsewhere`, () => {
    if (opened.faults.length > 0) throw new Error(opened.faults.slice(0, 5).join('\n'));
  });
}

/** Prints whether it holds. */
async function judge(name, check) {
  try {
    await check();
    held++;
    console.log(`${paint('green', '✓')} ${name}`);
    return true;
  } catch (error) {
    failed++;
    const message = stripVTControlCharacters(String(error.message ?? error)).slice(0, MOST_OF_MESSAGE);
    console.log(`${paint('red', '✗')} ${name}\n    ${message.replaceAll('\n', '\n    ')}`);
    return false;
  }
}

/** Prepares the source, starts the server and opens its page. */
function withPage(browser, open, use) {
  return withTempFolder('page', async (folder) => {
    const { args, env, context: more, close } = await open(folder, corpus);
    try {
      const { url, close: stop } = await start({
        command: process.execPath,
        args: [cli, 'preview', ...args],
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1', ...env },
        ready: ADDRESS,
      });
      const { origin } = new URL(url);
      const { context, page, faults } = await openPage(browser, origin);
      try {
        page.setDefaultTimeout(PATIENCE);
        // The server answers between compilations, and others compile beside it.
        await page.goto(url, { timeout: STARTING });
        await page.getByText('Compiling …').waitFor({ state: 'detached', timeout: STARTING });
        await use({ page, context, faults, folder, note: console.error, origin, ...more });
      } finally {
        await context.close();
        await stop();
      }
    } finally {
      await close?.();
    }
  });
}

async function takeAll(browser) {
  const folder = inRepository('docs/images');
  mkdirSync(folder, { recursive: true });
  const { open } = sources.find(({ suites }) => 'shop' in suites);
  await withPage(browser, open, ({ page }) => takePictures(page, folder));
}
