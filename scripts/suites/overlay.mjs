// The OpenAPI Initiative's tests of the Overlay Specification: sets of documents before and after, and overlays that are right and wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { load } from 'js-yaml';
import { emptyResult, record, skip } from './result.mjs';

const versions = ['v1.0', 'v1.1'];

/** @param {string} folder holds `compliant-sets` and `tests` @param {string} dist the built project */
export async function runOverlay(folder, dist) {
  const overlays = await reader(dist);
  return [
    await runSets(join(folder, 'compliant-sets'), overlays),
    runTests(join(folder, 'tests'), 'pass', overlays),
    runTests(join(folder, 'tests'), 'fail', overlays),
  ];
}

/** Each set is a document, an overlay, and what it makes of it. */
async function runSets(folder, overlays) {
  const result = emptyResult('oai-overlay sets');
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const [document, overlay, output] = ['openapi', 'overlay', 'output'].map((file) =>
      join(folder, name, `${file}.yaml`),
    );
    const { value, errors } = await overlays.apply(document, overlay);
    const isRight = isDeepStrictEqual(value, load(readFileSync(output, 'utf8')));
    record(result, name, isRight ? undefined : (errors[0] ?? `becomes ${JSON.stringify(value)}`));
  }
  return result;
}

function runTests(folder, kind, overlays) {
  const result = emptyResult(`oai-overlay ${kind}`);
  for (const version of readdirSync(folder).filter((name) => name.startsWith('v'))) {
    const files = readdirSync(join(folder, version, kind));
    if (!versions.includes(version)) {
      skip(result, `${version} is not a version yet`, files.length);
      continue;
    }
    for (const file of files) {
      const [error] = overlays.faults(join(folder, version, kind, file));
      const problem = kind === 'pass' ? error : error === undefined ? 'is accepted' : undefined;
      record(result, `${version} ${file}`, problem);
    }
  }
  return result;
}

async function reader(dist) {
  const frontend = join(dist, 'src/frontends/openapi');
  const { DiagnosticCollector } = await import(join(dist, 'src/diagnostics/collector.js'));
  const { defaultDocumentLimits: limits } = await import(join(frontend, 'load/loaded-document.js'));
  const { parseEntry } = await import(join(frontend, 'load/load-entry.js'));
  const { readOverlay } = await import(join(frontend, 'overlay/read-overlay.js'));
  const { applyOverlays } = await import(join(frontend, 'overlay/apply-overlays.js'));
  const entryOf = (file) => ({ file, uri: `file://${file}`, text: readFileSync(file, 'utf8') });
  const judging = () => {
    const diagnostics = new DiagnosticCollector();
    const errors = () =>
      diagnostics.found.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    return { report: diagnostics.report.bind(diagnostics), errors };
  };
  return {
    faults: (file) => {
      const { report, errors } = judging();
      readOverlay(entryOf(file), limits, report);
      return errors();
    },
    apply: async (document, overlay) => {
      const { report, errors } = judging();
      const parsed = parseEntry(entryOf(document), limits, report);
      const read = readOverlay(entryOf(overlay), limits, report);
      const applied = parsed && read && (await applyOverlays(parsed, [read], limits, report));
      return { value: applied?.value, errors: errors() };
    },
  };
}
