import { settings } from '../changes.ts';
import { htm } from '../htm.ts';
import { go, surface } from '../state.ts';
import { Budget } from './budget.ts';
import { Settings } from './settings.ts';
import { ToolList } from './tool-list-view.ts';
import { TreemapPane } from './treemap.ts';

export function SurfacePage() {
  const view = surface.value;
  if (view === undefined) return null;
  return htm`<div class="surface">
    <${Budget} view=${view} />
    <div class="surface-panes">
      <section class="pane list-pane" aria-label="Tools">
        <${ToolList} isWide onOpen=${(name: string) => go('tool', name)} />
      </section>
      <div class="side-panes">
        <${TreemapPane} />
        <${Settings} view=${view} settings=${settings.value} />
      </div>
    </div>
  </div>`;
}
