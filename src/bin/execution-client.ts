import { main } from '../nodes/execution/main.ts';

process.exit(await main(process.argv.slice(2), process.env));
