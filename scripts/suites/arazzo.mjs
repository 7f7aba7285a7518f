/** The OpenAPI Initiative's examples of Arazzo 1.0: each workflow becomes a tool, or is left out for a reason that is true of it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { compile } from '../../dist/src/index.js';

/** Judged by hand, by the text of each example. */
const TRUE_REASONS = {
  // Its document calls the operation `Par`.
  'FAPI-PAR': /Unknown operation: PAR\.|no answer of 2xx/,
  // It names a document of the web, and outputs that no step has.
  bnpl: /no OpenAPI document of this project|\$statusCode|redirectAuthToken|no answer of 2xx|\$response\.header|\.loanTransactionId|\.finalizedPaymentPlan/,
  oauth: /workflowId of a step|\$outputs\./,
  // Its document has `tags` and `petId`.
  'pet-coupons': /parameter pet_(?:tags|id) |workflowId of a step|\$outputs\./,
};

/** `folder`: holds the examples, and the documents beside those that have one. */
export async function runArazzo(folder, begin) {
  const suite = begin('arazzo examples');
  for (const file of readdirSync(folder).filter((name) => /[.-]arazzo\.yaml$/.test(name))) {
    const [name] = file.split(/[.-]arazzo/);
    const sources = ['.', '-'].map((mark) => `${name}${mark}openapi.yaml`);
    const source = sources.find((one) => existsSync(join(folder, one)));
    if (source === undefined) {
      suite.skip('Its document is not among the examples.');
      continue;
    }
    const { model, diagnostics } = await compile({ source, workflows: [file], cwd: folder });
    for (const tool of model?.tools ?? [])
      if (tool.binding.kind === 'steps') suite.record(`${file}: ${tool.name}`);
    for (const { severity, name: kind, message } of diagnostics)
      if (severity === 'error' || kind === 'workflow-left-out')
        suite.record(
          `${file}: ${message}`,
          TRUE_REASONS[name]?.test(message) ? undefined : 'is no known reason',
        );
  }
}
