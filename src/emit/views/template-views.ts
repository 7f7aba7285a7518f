import type * as code from './code-views.ts';
import type * as project from './project-views.ts';
import type * as publishing from './publishing-views.ts';

/** Every template, named by its output's path. */
export const templateNames = [
  'package.json',
  'README.md',
  '.env.example',
  '.gitattributes',
  '.gitignore',
  '.dockerignore',
  'Dockerfile',
  'compose.yaml',
  'deploy/haproxy.cfg',
  'deploy/kubernetes.yaml',
  'server.json',
  'manifest.json',
  'bundle.mjs',
  'sbom.mjs',
  '.github/workflows/publish.yml',
  '.github/workflows/regenerate.yml',
  'fetch.d.ts',
  'tsconfig.json',
  'src/runtime/README.md',
  'src/main.ts',
  'src/fetch.ts',
  'src/server.ts',
  'src/handlers/index.ts',
  'src/generated/types.ts',
  'test/server.js',
  'test/wire.js',
] as const;

export type TemplateName = (typeof templateNames)[number];

/** The view each template is given. */
export interface TemplateViews extends Record<TemplateName, object> {
  'package.json': project.PackageView;
  'README.md': project.ReadmeView;
  '.env.example': project.EnvironmentView;
  '.gitattributes': project.ConstantView;
  '.gitignore': project.ConstantView;
  '.dockerignore': project.ConstantView;
  Dockerfile: publishing.DockerfileView;
  'compose.yaml': publishing.ComposeView;
  'deploy/haproxy.cfg': project.ConstantView;
  'deploy/kubernetes.yaml': publishing.KubernetesView;
  'server.json': publishing.RegistryView;
  'manifest.json': publishing.ManifestView;
  'bundle.mjs': project.ConstantView;
  'sbom.mjs': project.ConstantView;
  '.github/workflows/publish.yml': project.ConstantView;
  '.github/workflows/regenerate.yml': project.ConstantView;
  'fetch.d.ts': project.ConstantView;
  'tsconfig.json': project.TsconfigView;
  'src/runtime/README.md': project.RuntimeReadmeView;
  'src/main.ts': code.MainView;
  'src/fetch.ts': code.FetchView;
  'src/server.ts': code.ServerView;
  'src/handlers/index.ts': code.HandlersView;
  'src/generated/types.ts': code.TypesView;
  'test/server.js': code.TestView;
  'test/wire.js': code.WireTestView;
}
