import { type Clock, type Database, virtualClock } from '@icosa/kernel'
import { type Arguments, print, remark, type ServiceCommand, table, text, UsageError } from '@icosa/module'
import { approveClient, everyTenant, listApprovals, withdrawClient } from '../approvals/operator.ts'

interface OperatorContext {
  readonly database: Database
  readonly clock: Clock
}

export const clients: ServiceCommand = {
  name: 'clients',
  usage: 'clients approve CLIENT --tenant T|--everybody | withdraw CLIENT [--tenant T|--everybody] | list [--tenant T]',
  summary: "Choose which applications may request tokens with all permissions of a tenant's users.",
  flags: { tenant: { type: 'string' }, everybody: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: { approve: ['tenant', 'everybody'], withdraw: ['tenant', 'everybody'], list: false },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${clients.usage}`)
    await args.withDatabase(async (database) => action(args, { database, clock: await virtualClock(database) }))
  },
}

const actions: Readonly<Record<string, (args: Arguments, context: OperatorContext) => Promise<void>>> = {
  async approve(args, context) {
    const tenant = tenantOf(args)
    if (tenant === undefined) throw new UsageError('For which tenant? Add --tenant NAME, or --everybody.')
    await approveClient(context, clientOf(args), tenant)
    remark('It may now request the scope platform. Users are still asked for consent.')
  },

  async withdraw(args, context) {
    await withdrawClient(context, clientOf(args), tenantOf(args))
    remark('It gets no more platform tokens; existing ones are rejected within a second.')
  },

  async list(args, context) {
    const approvals = await listApprovals(context, tenantOf(args))
    if (args.flags.json === true) return print(JSON.stringify(approvals))
    const rows = approvals.map(({ clientId, clientName, owner, tenant, approvedAt }) => [
      clientId,
      clientName ?? '',
      owner,
      tenant === everyTenant ? 'everybody' : tenant,
      approvedAt.toISOString(),
    ])
    print(table(['client', 'name', 'registered by', 'for users of', 'since'], rows))
  },
}

function clientOf({ words }: Arguments): string {
  if (words[1] === undefined) throw new UsageError('Which application? Give its client_id.')
  return words[1]
}

const tenantOf = ({ flags }: Arguments) => (flags.everybody === true ? everyTenant : text(flags, 'tenant'))
