import { main } from '../orchestrator/runtimes/docker/link.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('link', (code) => process.exit(code));
main(process.argv[2] ?? '{}').catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
