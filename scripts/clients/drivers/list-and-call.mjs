/** What both official clients do the same way. */

/** @returns {Promise<import('../drive.mjs').Driven>} */
export async function listAndCall(client, calls, callTool) {
  try {
    const listed = [];
    let cursor;
    do {
      const page = await client.listTools(cursor === undefined ? undefined : { cursor });
      listed.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const results = [];
    for (const { tool, args } of calls) results.push(await callTool({ name: tool, arguments: args }));
    return { listed, results };
  } finally {
    await client.close();
  }
}
