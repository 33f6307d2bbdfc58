import { startCatalog } from '../catalog/server.ts'

// A process that serves feeds. Arguments: number of feeds, number of hosts, response delay.
const [, , feeds = '', hosts = '', delayMs = ''] = process.argv
const addresses = Array.from({ length: Number(hosts) }, (_, n) => `127.0.2.${n + 1}`)
const catalog = await startCatalog({ feeds: Number(feeds), addresses, delayMs: Number(delayMs) })
process.send?.(catalog.opml)
process.on('message', () => process.send?.(catalog.traffic().requests))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
