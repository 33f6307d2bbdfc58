import { plainPath } from '@icosa/contract'
import { operationsOfService } from '@icosa/kernel'
import { print, suggestion, table, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'

export const operations: Command = {
  name: 'operations',
  usage: 'operations [SERVICE] [--json]',
  summary:
    'List all operations, or those of one service, with path, statuses and permission; in a terminal, without a service, only their number.',
  flags: { json: { type: 'boolean' } },
  audited: false,
  async run({ words: [service], flags }) {
    const all = listOf(withPlatform(await allServices(), 'virtual'))
    const names = [...new Set(all.map(({ name }) => name))]
    const own = all.filter((one) => service === undefined || one.name === service || one.service === service)
    if (own.length === 0)
      throw new UsageError(
        `There is no service '${service}'.${suggestion(service ?? '', names)} There are: ${names.join(', ')}.`,
      )
    if (flags.json === true) return print(JSON.stringify(own, null, 2))
    if (!process.stdout.isTTY) return print(table(['', 'method', 'path', 'success', 'permission'], own.map(rowOf)))
    if (service !== undefined) return print(own.map(lineOf).join('\n'))
    const count = (name: string) => String(all.filter((one) => one.name === name).length)
    print(
      table(
        ['service', 'operations'],
        names.map((name) => [name, count(name)]),
      ),
    )
    print('\n`icosa operations SERVICE` lists those of one, `icosa operations | less` all.')
  },
}

type Listed = ReturnType<typeof listOf>[number]

const listOf = (services: ReturnType<typeof withPlatform>) =>
  services.flatMap(operationsOfService).map(({ service, id, permission, operation }) => ({
    service: service.letter ?? null,
    name: service.name,
    method: operation.method,
    path: plainPath(operation.path),
    operationId: id,
    success: Object.keys(operation.replies).map(Number),
    permission,
    extension: operation.extension === true || service.letter === undefined,
  }))

const rowOf = (one: Listed) => [
  one.service ?? '-',
  one.method,
  `/${one.name}${one.path}`,
  one.success.join(' '),
  one.permission,
]

const lineOf = (one: Listed) => `${one.operationId}  ${one.method} /${one.name}${one.path}`
