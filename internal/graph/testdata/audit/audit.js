// Runs the server audits of graphql-http against the given URL, and prints one
// JSON object per line: {id, name, status, reason}.
import { serverAudits } from 'graphql-http';

for (const audit of serverAudits({ url: process.argv[2], fetchFn: fetch })) {
  const { id, name, status, reason } = await audit.fn();
  console.log(JSON.stringify({ id, name, status, reason }));
}
