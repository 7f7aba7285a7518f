/** What both official clients do the same way. */

export async function listAndCall(client, calls, callTool) {
  try {
    const tools = [];
    let cursor;
    do {
      const page = await client.listTools(cursor === undefined ? undefined : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const results = [];
    for (const { tool, args } of calls) results.push(await callTool({ name: tool, arguments: args }));
    const typed = tools.filter(({ outputSchema }) => outputSchema !== undefined);
    return { listed: tools.map(({ name }) => name), typed: typed.map(({ name }) => name), results };
  } finally {
    await client.close();
  }
}
