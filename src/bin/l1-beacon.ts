import { main } from '../nodes/beacon/main.ts';

process.exit(await main(process.argv.slice(2), process.env));
