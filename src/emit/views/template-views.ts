import type {
  FetchView,
  HandlersView,
  MainView,
  ServerView,
  TestView,
  TypesView,
  WireTestView,
} from './code-views.ts';
import type {
  ConstantView,
  EnvironmentView,
  PackageView,
  ReadmeView,
  RuntimeReadmeView,
  TsconfigView,
} from './project-views.ts';
import type {
  ComposeView,
  KubernetesView,
  DockerfileView,
  ManifestView,
  RegistryView,
} from './publishing-views.ts';

/** Every template, named by its output's path. */
export const templateNames = [
  'package.json',
  'README.md',
  '.env.example',
  '.gitattributes',
  '.gitignore',
  '.prettierignore',
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
  'fetch.d.ts',
  'tsconfig.json',
  'src/runtime/README.md',
  'src/runtime/build.mjs',
  'test/server.test.ts',
  'test/wire.test.ts',
  'src/main.ts',
  'src/fetch.ts',
  'src/server.ts',
  'src/handlers/index.ts',
  'src/generated/types.ts',
] as const;

export type TemplateName = (typeof templateNames)[number];

/** Templates of projects on the core, in `templates/project-next/`. */
export const coreTemplateNames = [
  'package.json',
  'README.md',
  '.env.example',
  '.gitattributes',
  'tsconfig.json',
  'src/main.ts',
  'src/server.ts',
  'src/handlers/index.ts',
  'src/generated/types.ts',
  'src/runtime/README.md',
  'test/server.test.js',
  'test/wire.test.js',
] as const;

/** The name of a built-in template where both folders are one. */
export type TemplateKey = TemplateName | `next/${(typeof coreTemplateNames)[number]}`;

/** The view each template is given. */
export interface TemplateViews extends Record<TemplateName, object> {
  'package.json': PackageView;
  'README.md': ReadmeView;
  '.env.example': EnvironmentView;
  '.gitattributes': ConstantView;
  '.gitignore': ConstantView;
  '.prettierignore': ConstantView;
  '.dockerignore': ConstantView;
  Dockerfile: DockerfileView;
  'compose.yaml': ComposeView;
  'deploy/haproxy.cfg': ConstantView;
  'deploy/kubernetes.yaml': KubernetesView;
  'server.json': RegistryView;
  'manifest.json': ManifestView;
  'bundle.mjs': ConstantView;
  'sbom.mjs': ConstantView;
  '.github/workflows/publish.yml': ConstantView;
  'fetch.d.ts': ConstantView;
  'tsconfig.json': TsconfigView;
  'src/runtime/README.md': RuntimeReadmeView;
  'src/runtime/build.mjs': ConstantView;
  'test/server.test.ts': TestView;
  'test/wire.test.ts': WireTestView;
  'src/main.ts': MainView;
  'src/fetch.ts': FetchView;
  'src/server.ts': ServerView;
  'src/handlers/index.ts': HandlersView;
  'src/generated/types.ts': TypesView;
}
