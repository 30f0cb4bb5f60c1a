import { main } from '../nodes/proposer/main.ts';

process.exit(await main(process.argv.slice(2), process.env));
