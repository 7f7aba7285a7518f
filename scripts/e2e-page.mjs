/**
 * `npm run e2e:page`: the page of `mcpgen preview` in the Chromium of this machine, over its five views. Ends with 1 when a
 * check failed, and with 0 and `not run` where there is no Chromium.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { findChromium, launch, openPage } from './lib/page/browser.mjs';
import { PICTURES, takePictures } from './lib/page/pictures.mjs';
import { startPreview } from './lib/page/preview-server.mjs';
import { suites } from './lib/page/suites.mjs';
import { inRepository } from './lib/repository.mjs';
import { inParallel } from './lib/run.mjs';
import { paint, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const PATIENCE = 5000;
const STARTING = 60_000;
/** Sources at a time: a page waits most of its time. */
const WIDTH = 3;
/** A whole run has at least so many checks. */
const LEAST = 60;
/** Playwright tells each attempt. */
const MOST_OF_MESSAGE = 600;

const usage = [
  'npm run e2e:page [-- --only <suite>,… --corpus <folder> --pictures --json]',
  `Suites: ${suites.map(({ name }) => name).join(', ')}. --only takes the start of a name.`,
  '--pictures writes docs/images/preview-*.png. CHROMIUM names the browser.',
].join('\n');
const { values } = readOptions(usage, {
  options: {
    only: { type: 'string' },
    corpus: { type: 'string' },
    pictures: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const only = values.only?.split(',');
const chosen = suites.filter(({ name }) => only?.some((each) => name.startsWith(each)) ?? true);
if (chosen.length === 0) misused(usage, `There is no suite ${values.only}.`);

const began = performance.now();
const program = findChromium();
if (program === undefined) {
  console.log('not run: there is no Chromium here (apt install chromium, or name one with CHROMIUM).');
} else {
  const browser = await launch(program);
  try {
    const results = await runAll(browser);
    report(results, browser.version());
    if (values.pictures) await takeAll(browser);
  } finally {
    await browser.close();
  }
}

/** Suites of the same source share its server and its page. What is timed runs alone. */
async function runAll(browser) {
  const runnable = chosen.filter(({ name, needsCorpus }) => {
    if (!needsCorpus || values.corpus !== undefined) return true;
    console.error(`${name}: not run, it needs --corpus`);
    return false;
  });
  const groups = [...new Set(runnable.map(({ open }) => open))].map((open) =>
    runnable.filter((suite) => suite.open === open),
  );
  const isAlone = ([{ needsCorpus = false }]) => needsCorpus;
  const run = (suites) => runSuites(browser, suites);
  const results = [
    ...(await inParallel(
      groups.filter((suites) => !isAlone(suites)),
      WIDTH,
      run,
    )),
    ...(await inParallel(groups.filter(isAlone), 1, run)),
  ];
  return results.flat();
}

async function runSuites(browser, suites) {
  const results = [];
  const [{ name, open }] = suites;
  const error = await failureOf(() =>
    withTempFolder('page', (folder) =>
      withPage(browser, open, folder, async (opened) => {
        for (const suite of suites) {
          if (suite !== suites[0]) await reload(opened);
          await runChecks(suite, opened, results);
        }
      }),
    ),
  );
  if (error !== undefined) results.push({ suite: name, name: 'it opens and ends', error });
  return results;
}

/** Opens the page anew, at its first view. */
async function reload({ page, faults }) {
  faults.length = 0;
  await page.evaluate(() => (location.hash = '#/surface'));
  await page.reload();
}

/** Checks of a suite go on where the one before ended; after a failure the page is loaded again. */
async function runChecks(suite, open, results) {
  console.error(`${suite.name} …`);
  for (const [name, check] of suite.checks) {
    const start = performance.now();
    const error = await failureOf(() => check(open));
    results.push({ suite: suite.name, name, error, ms: Math.round(performance.now() - start) });
    if (error !== undefined) await open.page.reload();
  }
  const { faults } = open;
  const error = faults.length === 0 ? undefined : faults.slice(0, 5).join('\n');
  results.push({ suite: suite.name, name: 'no error, no violation, no request to elsewhere', error });
}

/** Prepares the source, starts the server and opens its page. */
async function withPage(browser, open, folder, use) {
  const corpus = values.corpus && path.resolve(values.corpus);
  const { args, env, context: more, close } = await open(folder, corpus);
  try {
    const server = await startPreview(args, { cwd: folder, env });
    const { context, page, faults } = await openPage(browser, server.origin);
    try {
      page.setDefaultTimeout(PATIENCE);
      // The server answers between compilations, and others compile beside it.
      await page.goto(server.address, { timeout: STARTING });
      await page.getByText('Compiling …').waitFor({ state: 'detached', timeout: STARTING });
      const note = (text) => console.error(`  ${text}`);
      await use({ page, context, faults, folder, note, ...server, ...more });
    } finally {
      await context.close();
      await server.stop();
    }
  } finally {
    await close?.();
  }
}

async function failureOf(work) {
  try {
    await work();
    return undefined;
  } catch (error) {
    return stripVTControlCharacters(String(error.message ?? error)).slice(0, MOST_OF_MESSAGE);
  }
}

/** Pictures for the documentation. */
async function takeAll(browser) {
  mkdirSync(inRepository('docs/images'), { recursive: true });
  for (const { suite: name, pictures } of PICTURES) {
    const suite = suites.find((each) => each.name === name);
    await withTempFolder('page', (folder) =>
      withPage(browser, suite.open, folder, async ({ page }) => {
        for (const { file, kilobytes } of await takePictures(page, inRepository('docs/images'), pictures))
          console.error(`${path.relative(inRepository(), file)}: ${kilobytes} kB`);
      }),
    );
  }
}

function report(results, version) {
  if (only === undefined && results.length < LEAST) {
    const error = `These are ${results.length}.`;
    results.push({ suite: 'all', name: `there are ${LEAST} checks or more`, error });
  }
  const failed = results.filter(({ error }) => error !== undefined);
  if (failed.length > 0) process.exitCode = 1;
  if (values.json) {
    console.log(JSON.stringify({ ok: failed.length === 0, chromium: version, checks: results }, null, 2));
    return;
  }
  for (const { suite, name, error } of results)
    console.log(
      `${error === undefined ? paint('green', '✓') : paint('red', '✗')} ${suite}: ${name}${error === undefined ? '' : `\n    ${error.replaceAll('\n', '\n    ')}`}`,
    );
  if (results.length === 0) return console.log('not run: no suite was left.');
  const time = seconds(performance.now() - began);
  console.log(
    `\n${results.length - failed.length} of ${results.length} checks hold in Chromium ${version}, in ${time}.`,
  );
}
