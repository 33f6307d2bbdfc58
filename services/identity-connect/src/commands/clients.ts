import { type Clock, type Database, virtualClock } from '@icosa/kernel'
import { type Arguments, print, remark, type ServiceCommand, table, text, UsageError } from '@icosa/module'
import { approveClient, everyTenant, listApprovals, withdrawClient } from '../approvals/operator.ts'

interface Bench {
  readonly database: Database
  readonly clock: Clock
}

export const clients: ServiceCommand = {
  name: 'clients',
  usage: 'clients approve CLIENT --tenant T|--everybody | withdraw CLIENT [--tenant T|--everybody] | list [--tenant T]',
  summary: "Choose which applications may ask a tenant's people for a token with all of their permissions.",
  flags: { tenant: { type: 'string' }, everybody: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: { approve: ['tenant', 'everybody'], withdraw: ['tenant', 'everybody'], list: false },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${clients.usage}`)
    await args.withDatabase(async (database) => action(args, { database, clock: await virtualClock(database) }))
  },
}

const actions: Readonly<Record<string, (args: Arguments, bench: Bench) => Promise<void>>> = {
  async approve(args, bench) {
    const tenant = tenantOf(args)
    if (tenant === undefined) throw new UsageError('For whose people? Add --tenant NAME, or --everybody.')
    await approveClient(bench, clientOf(args), tenant)
    remark('It may now ask for the scope platform. Everybody is still asked before they allow it.')
  },

  async withdraw(args, bench) {
    await withdrawClient(bench, clientOf(args), tenantOf(args))
    remark('It gets no further tokens of the platform; those that it has are refused within a second.')
  },

  async list(args, bench) {
    const found = await listApprovals(bench, tenantOf(args))
    if (args.flags.json === true) return print(JSON.stringify(found))
    const rows = found.map(({ clientId, clientName, owner, tenant, approvedAt }) => [
      clientId,
      clientName ?? '',
      owner,
      tenant === everyTenant ? 'everybody' : tenant,
      approvedAt.toISOString(),
    ])
    print(table(['client', 'name', 'registered by', 'for people of', 'since'], rows))
  },
}

function clientOf({ words }: Arguments): string {
  if (words[1] === undefined) throw new UsageError('Which application? Give its client_id.')
  return words[1]
}

const tenantOf = ({ flags }: Arguments) => (flags.everybody === true ? everyTenant : text(flags, 'tenant'))
