import { plainPath } from '@icosa/contract'
import { operationsOfService } from '@icosa/kernel'
import { print, table } from '@icosa/module'
import type { Command } from '../../command.ts'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'

export const operations: Command = {
  name: 'operations',
  usage: 'operations [--json]',
  summary: 'List every operation with its path, statuses and permission.',
  flags: { json: { type: 'boolean' } },
  audited: false,
  async run({ flags }) {
    const all = withPlatform(await allServices(), 'virtual')
      .flatMap(operationsOfService)
      .map(({ service, id, permission, operation }) => ({
        service: service.letter ?? null,
        name: service.name,
        method: operation.method,
        path: plainPath(operation.path),
        operationId: id,
        success: Object.keys(operation.replies).map(Number),
        permission,
        extension: operation.extension === true || service.letter === undefined,
      }))
    if (flags.json === true) return print(JSON.stringify(all, null, 2))
    const rows = all.map((one) => [
      one.service ?? '-',
      one.method,
      `/${one.name}${one.path}`,
      one.success.join(' '),
      one.permission,
    ])
    print(table(['', 'method', 'path', 'success', 'permission'], rows))
  },
}
