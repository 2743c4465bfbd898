// Starts Chromium for all drivers together, prints where it listens, and ends
// it when standard input ends: with the tests, however those end.
import { chromium } from 'playwright-core';

const root = process.getuid?.() === 0; // Chromium's own sandbox refuses root
const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM, host: '127.0.0.1', args: root ? ['--no-sandbox'] : [] });
console.log(server.wsEndpoint());
process.stdin.resume();
process.stdin.on('end', () => server.close());
