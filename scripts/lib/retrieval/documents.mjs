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

export const ALL_DOCUMENTS = { ...DOCUMENTS, ...ADDED_DOCUMENTS };
