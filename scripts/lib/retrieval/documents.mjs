/** The documents of the retrieval tasks, by id: names of files in the folder that the command line gives. */
export const DOCUMENTS = {
  github: 'github.json',
  stripe: 'stripe-2022.json',
  kubernetes: 'kubernetes.json',
  slack: 'slack-v2.json',
  twilio: 'twilio-api-v2010.json',
  box: 'box.json',
};
