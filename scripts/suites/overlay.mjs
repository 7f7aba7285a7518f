/** The OpenAPI Initiative's tests of the Overlay Specification: documents before and after, and overlays that are right and wrong. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { load } from 'js-yaml';

import { DiagnosticCollector } from '../../dist/src/diagnostics/collector.js';
import { parseEntry } from '../../dist/src/frontends/openapi/load/load-entry.js';
import { defaultDocumentLimits as limits } from '../../dist/src/frontends/openapi/load/loaded-document.js';
import { applyOverlays } from '../../dist/src/frontends/openapi/overlay/apply-overlays.js';
import { readOverlay } from '../../dist/src/frontends/openapi/overlay/read-overlay.js';

const versions = ['v1.0', 'v1.1'];
const entryOf = (file) => ({ file, uri: `file://${file}`, text: readFileSync(file, 'utf8') });

/** `folder`: holds `compliant-sets` and `tests`. */
export async function runOverlay(folder, begin) {
  const sets = begin('oai-overlay sets');
  const entries = readdirSync(join(folder, 'compliant-sets'), { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const [document, overlay, output] = ['openapi', 'overlay', 'output'].map((file) =>
      join(folder, 'compliant-sets', name, `${file}.yaml`),
    );
    const { report, error } = judging();
    const parsed = parseEntry(entryOf(document), limits, report);
    const read = readOverlay(entryOf(overlay), limits, report);
    const applied = parsed && read && (await applyOverlays(parsed, [read], limits, report));
    const isRight = isDeepStrictEqual(applied?.value, load(readFileSync(output, 'utf8')));
    sets.record(name, isRight ? undefined : (error() ?? `becomes ${JSON.stringify(applied?.value)}`));
  }
  for (const kind of ['pass', 'fail']) {
    const result = begin(`oai-overlay ${kind}`);
    for (const version of readdirSync(join(folder, 'tests')).filter((name) => name.startsWith('v'))) {
      const below = join(folder, 'tests', version, kind);
      const files = readdirSync(below);
      if (!versions.includes(version)) result.skip(`${version} is not a version yet`, files.length);
      else
        for (const file of files) {
          const { report, error } = judging();
          readOverlay(entryOf(join(below, file)), limits, report);
          const problem = error();
          const wrong = problem === undefined ? 'is accepted' : undefined;
          result.record(`${version} ${file}`, kind === 'pass' ? problem : wrong);
        }
    }
  }
}

function judging() {
  const diagnostics = new DiagnosticCollector();
  return {
    report: diagnostics.report.bind(diagnostics),
    error: () => diagnostics.found.find(({ severity }) => severity === 'error')?.message,
  };
}
