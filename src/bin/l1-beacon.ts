import { main } from '../nodes/beacon/main.ts';

void main(process.argv.slice(2), process.env).then((code) => process.exit(code));
