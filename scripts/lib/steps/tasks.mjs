/** Ten tasks over four documents: `call` of a step is an operationId. */
const repository = { owner: 'octocat', repo: 'hello-world' };
const each = (list, call, args) => ({ call, forEach: list, parallel: 5, arguments: args });

export const tasks = [
  {
    document: 'github',
    task: 'Who has opened the open issues?',
    steps: {
      issues: { call: 'issues/list-for-repo', arguments: { ...repository, state: 'open', per_page: 20 } },
    },
    result: '$unique($steps.issues[*].user.login)',
  },
  {
    document: 'github',
    task: 'Which open pull requests change more than 50 lines?',
    steps: {
      pulls: { call: 'pulls/list', arguments: { ...repository, state: 'open', per_page: 20 } },
      details: each('$steps.pulls[*].number', 'pulls/get', { ...repository, pull_number: '$item' }),
    },
    result: '$steps.details[?@.additions > 50].title',
  },
  {
    document: 'github',
    task: 'Which jobs of the last workflow runs have failed?',
    steps: {
      runs: { call: 'actions/list-workflow-runs-for-repo', arguments: { ...repository, per_page: 20 } },
      jobs: each('$steps.runs.workflow_runs[*].id', 'actions/list-jobs-for-workflow-run', {
        ...repository,
        run_id: '$item',
      }),
    },
    result: "$steps.jobs[*].jobs[?@.conclusion == 'failure'].name",
  },
  {
    document: 'stripe',
    task: 'How much money do open invoices ask for?',
    steps: { invoices: { call: 'GetInvoices', arguments: { status: 'open', limit: 20 } } },
    result: '$sum($steps.invoices.data[*].amount_due)',
  },
  {
    document: 'stripe',
    task: 'The mail addresses of customers whose subscriptions are past due',
    steps: {
      late: { call: 'GetSubscriptions', arguments: { status: 'past_due', limit: 20 } },
      customers: each('$unique($steps.late.data[*].id)', 'GetCustomersCustomer', { customer: '$item' }),
    },
    result: '$steps.customers[*].email',
  },
  {
    document: 'stripe',
    task: 'Which charges are disputed?',
    steps: { charges: { call: 'GetCharges', arguments: { limit: 20 } } },
    result: '$steps.charges.data[?@.disputed == true].id',
  },
  {
    document: 'shop',
    task: 'How many articles have the orders of a day?',
    steps: { orders: { call: 'orders/list', arguments: { placedOn: '2026-02-28' } } },
    result: '$length($steps.orders[*].items[*])',
  },
  {
    document: 'shop',
    task: 'The names of all products, with their reviews counted',
    steps: {
      products: { call: 'products/list', arguments: {} },
      reviews: each('$steps.products.items[*].id', 'reviews/list', { id: '$item' }),
    },
    result: { names: '$steps.products.items[*].name', reviews: '$length($steps.reviews[*][*])' },
  },
  {
    document: 'graph',
    task: 'Which messages of the first users are unread?',
    steps: {
      users: { call: 'user.ListUser', arguments: { top: 5 } },
      messages: each('$steps.users.value[:5].id', 'user.ListMessages', { 'user-id': '$item', top: 20 }),
    },
    result: '$steps.messages[*].value[?@.isRead == false].subject',
  },
  {
    document: 'graph',
    task: 'How many meetings have the first users?',
    steps: {
      users: { call: 'user.ListUser', arguments: { top: 5 } },
      events: each('$steps.users.value[:5].id', 'user.ListEvents', { 'user-id': '$item', top: 20 }),
    },
    result: '$length($steps.events[*].value[*])',
  },
];
