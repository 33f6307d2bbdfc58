/** A cell that answers at once, so that only the router's own cost is measured. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = JSON.stringify({ id: 'a', title: 'A note', text: 'of ordinary length '.repeat(10) })
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen({ host: '127.0.0.1', port: 0 }, () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
