import { main } from '../orchestrator/run/runtimes/docker/link.ts';

main(process.argv[2] ?? '{}').catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
