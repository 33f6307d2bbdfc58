import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operationsOfService, type Service, type ServiceOperation } from '@icosa/kernel'
import { propertiesOf } from '../fields/fields.ts'
import type { Exchange } from './exchange.ts'
import { masking, shortened } from './mask.ts'
import { type RecordOptions, recordExchanges } from './record.ts'

const maxBodyLength = 3_000

/**
 * Writes an example of each operation to a file of the folder, one per line. Operations are recorded twice: what
 * differs between both runs would differ in the next one, and is masked.
 */
export async function writeExamples(service: Service, folder: string, options: RecordOptions): Promise<void> {
  const [first, second] = [await recordExchanges(service, options), await recordExchanges(service, options)]
  const mask = masking()
  const lines = operationsOfService(service).flatMap((operation) => {
    const runs = [first, second].map((run) => run.get(operation.id))
    const [one, other] = runs.map((exchange) => exchange && exampleOf(operation, exchange))
    if (!one || !other) return []
    const masked = mask(one, other) as typeof one
    const example = { ...masked, reply: { ...masked.reply, status: one.reply.status } }
    return [`${JSON.stringify(operation.id)}: ${JSON.stringify(example)}`]
  })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${service.name}.json`), `{\n${lines.join(',\n')}\n}\n`)
}

/** The parts of an exchange that its operation describes: no credentials, no headers of the platform. */
function exampleOf({ operation }: ServiceOperation, { request, reply }: Exchange) {
  return {
    path: request.path,
    ...headersIn(request.headers, Object.keys(propertiesOf(operation.headers))),
    ...(request.body !== undefined && { body: request.body }),
    reply: {
      status: reply.status,
      ...headersIn(reply.headers, ['location']),
      ...(reply.body !== undefined && { body: bounded(reply.body) }),
    },
  }
}

function headersIn(headers: Readonly<Record<string, string>>, names: readonly string[]) {
  const isJson = /json/.test(headers['content-type'] ?? 'json')
  const listed = [...names.map((name) => name.toLowerCase()), ...(isJson ? [] : ['content-type'])]
  const entries = Object.entries(headers).filter(([name]) => listed.includes(name))
  return entries.length > 0 ? { headers: Object.fromEntries(entries) } : {}
}

function bounded(body: unknown): unknown {
  const short = shortened(body)
  return JSON.stringify(short).length > maxBodyLength ? shortened(body, 1) : short
}
