import type { ClientFit, SurfaceView } from '../../src/preview/protocol.ts';
import { classes, htm } from '../htm.ts';
import { count, plural } from '../parts/basics.ts';
import { Icon } from '../parts/icons.ts';

/** Whether the surface fits each client, and what it costs. */
export function Budget({ view }: { view: SurfaceView }) {
  const listed = view.tools.filter(({ isListed }) => isListed).length;
  const { tokens, tools, clients } = view;
  return htm`<section class="budget" aria-label="Budget">
    <dl class="figures">
      <div><dt>listed</dt><dd><strong>${count(tokens.listed)}</strong> tokens</dd></div>
      <div><dt>${listed === 1 ? 'tool' : 'tools'}</dt><dd><strong>${count(listed)}</strong>${listed !== tools.length && ` of ${count(tools.length)}`}</dd></div>
      ${tokens.all !== tokens.listed && htm`<div><dt>all tools</dt><dd>${count(tokens.all)} tokens</dd></div>`}
      ${view.prompts.length > 0 && htm`<div><dt>${view.prompts.length === 1 ? 'prompt' : 'prompts'}</dt><dd>${count(view.prompts.length)}</dd></div>`}
      ${view.resources.length > 0 && htm`<div><dt>${view.resources.length === 1 ? 'resource' : 'resources'}</dt><dd>${count(view.resources.length)}</dd></div>`}
    </dl>
    ${
      (view.errors > 0 || view.warnings > 0) &&
      htm`<a class="counts" href="#/findings">${view.errors > 0 && htm`<span class="f-error">${plural(view.errors, 'error')}</span>`} ${view.warnings > 0 && htm`<span class="f-warning">${plural(view.warnings, 'warning')}</span>`}</a>`
    }
    <ul class="clients" aria-label="Clients">${clients.map((client) => htm`<${Client} key=${client.client} client=${client} />`)}</ul>
  </section>`;
}

function Client({ client: { title, fits, problems, read } }: { client: ClientFit }) {
  const reasons = problems.join('; ');
  return htm`<li class=${classes('client', fits ? 'is-fit' : 'is-unfit')} title=${`${reasons || 'Fits'} (rules of ${read})`}>
    <${Icon} name=${fits ? 'check' : 'cross'} /><span>${title}</span><span class="hidden">${fits ? 'fits' : 'does not fit'}</span>
    ${!fits && htm`<span class="reason">${problems[0]}</span>`}
  </li>`;
}
