import type { FindingRow } from '../../src/preview/protocol.ts';
import { review } from '../changes.ts';
import { htm } from '../htm.ts';
import { hrefOf, toolByName } from '../state.ts';
import { Prose } from './basics.ts';

interface Properties {
  finding: FindingRow;
  /** Below a heading that has its severity and code. */
  isGrouped?: boolean;
}

export function FindingItem({ finding, isGrouped = false }: Properties) {
  const { code, name, severity, message, hint, file, line, frame, tools, field, isFixable } = finding;
  const listedTools = tools.filter((tool) => toolByName.value.has(tool)).slice(0, 8);
  return htm`<article class=${`finding f-${severity}`}>
    <p>${!isGrouped && htm`<span class=${`severity f-${severity}`}>${severity}</span> <span class="code-name" title=${name}>${code}</span> `}<${Prose} text=${message} /></p>
    ${hint !== undefined && htm`<p class="hint"><${Prose} text=${hint} /></p>`}
    ${file !== undefined && htm`<p class="muted place">${file}${line !== undefined && `:${line}`}</p>`}
    ${frame !== undefined && frame !== '' && htm`<pre class="code frame" tabindex="0" role="region" aria-label=${`Source of ${code}`}>${frame}</pre>`}
    ${
      (listedTools.length > 0 || isFixable) &&
      htm`<p class="finding-actions">${listedTools.map((tool) => htm`<a href=${hrefOf('tool', tool, field)}><code>${tool}</code></a>`)}
      ${isFixable && htm`<${FixButton} label="Fix" tools=${tools} />`}</p>`
    }
  </article>`;
}

export function FixButton({ label, tools }: { label: string; tools?: string[] }) {
  const fix = (): void => {
    void review('Fix findings', [tools === undefined ? { kind: 'fix' } : { kind: 'fix', tools }]);
  };
  return htm`<button type="button" class="small" onClick=${fix}>${label} …</button>`;
}
