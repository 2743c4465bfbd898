// Computes one Argon2id tag for each line on stdin, and says how many
// nanoseconds of processor time it took and what the tag is.
// node peer.cjs directory-with-node_modules package time memory lanes secret salt
const [directory, name, time, memory, lanes, secret, salt] = process.argv.slice(2)
const module_ = require('node:module').createRequire(directory + '/')(name)
const cost = { timeCost: +time, memoryCost: +memory, parallelism: +lanes, salt: Buffer.from(salt) }
const hash = {
	argon2: () => module_.hash(secret, { ...cost, type: 2, hashLength: 32, raw: true }),
	'@node-rs/argon2': () => module_.hashRawSync(secret, { ...cost, algorithm: 2, outputLen: 32 }),
}[name]

async function main() {
	for await (const _ of require('node:readline').createInterface({ input: process.stdin })) {
		const start = process.cpuUsage()
		const tag = await hash()
		const { user, system } = process.cpuUsage(start)
		console.log(`${(user + system) * 1000} ${tag.toString('hex')}`)
	}
}
main()
